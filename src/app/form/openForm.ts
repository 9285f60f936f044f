import type { JsonObject } from '../../base/json';
import type { FieldProblem } from '../../catalog/errors';
import type { Target } from '../../renders/record';

/** What a form is opened about. */
export interface Occasion {
  /** What the service refused of the inputs: the form leads to the first of these fields. */
  readonly refused?: readonly FieldProblem[];
  /**
   * Where the render goes that is to be changed. Where that is a very file that a document names and that is not there,
   * the next result of the form goes there too.
   */
  readonly target?: Target;
}

/** Shows the form of a model, filled with `inputs` when they are given, else with what it held last. */
export type OpenForm = (modelId: string, inputs?: JsonObject, occasion?: Occasion) => Promise<void>;
