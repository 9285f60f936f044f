import type { GivenImage } from '../base/givenImage';
import type { JsonObject } from '../base/json';
import type { FieldProblem } from '../catalog/errors';
import type { Target } from '../renders/record';

/** Why a form is opened. */
export interface Occasion {
  /** The service's rejections: the form focuses the first of these fields. */
  readonly refused?: readonly FieldProblem[];
  /**
   * The target of the render to change. If it's a missing file that a document names, the form's next result goes there
   * too.
   */
  readonly target?: Target;
  /** The ID of the project's style that the inputs are sent with; undefined for inputs as they were sent. */
  readonly style?: string;
  /** A kept image for the first field that takes one and is empty, else for the first that takes one. */
  readonly image?: GivenImage;
}

/** Shows a model's form, filled with `inputs` if given, else with its last values. */
export type OpenForm = (modelId: string, inputs?: JsonObject, occasion?: Occasion) => Promise<void>;
