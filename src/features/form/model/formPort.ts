import type { Event } from '../../../base/event';
import type { JsonObject } from '../../../base/json';
import type { Model } from '../../../catalog/types';
import type { PricedOrder } from '../../../renders/priced';
import type { RenderRecord, Target } from '../../../renders/record';
import type { LinkPlace } from '../../../documents/linkPlace';

/** The form's dependencies. It collects a person's wishes; whether and how money is spent is decided elsewhere. */
export interface FormPort {
  /**
   * Renders the order after any confirmation it needs, and inserts a link to the result at the place, described by the
   * prompt of `said`, which no style has added to. Undefined when the person declined: nothing was sent. Rejects when
   * nothing was recorded.
   */
  render(order: PricedOrder, place: LinkPlace | undefined, said: JsonObject): Promise<RenderRecord | undefined>;
  /**
   * Renders the orders of one press after any confirmation their sum needs, and shows their images together once they
   * have ended. Calls `placed` for each that was recorded; the rest isn't when one is rejected. False when the person
   * declined: nothing was sent. Rejects when nothing was recorded.
   */
  renderVariants(orders: readonly PricedOrder[], placed: (record: RenderRecord) => void): Promise<boolean>;
  /**
   * The place for a link to a result of that target; undefined when no link is possible where the person was writing
   * last.
   */
  linkPlace(target: Target): LinkPlace | undefined;
  readonly onDidChangeLinkPlace: Event<void>;
  /**
   * Lets the person pick an option that the balance covers: resolves with inputs for the same model. Another model's
   * form opens instead, with the same target.
   */
  whatFits(modelId: string, inputs: JsonObject, target: Target): Promise<JsonObject | undefined>;
  /**
   * Opens the form with the inputs that an image was made from, or shows how it was made if anyone could have written
   * that. Says so itself when it isn't in the workspace, or has no record of that.
   */
  openRecipe(uri: string): Promise<void>;
  /** Lets the person pick one of these prompts; undefined when they cancel. */
  pickPrompt(prompts: readonly string[]): Promise<string | undefined>;
  /** The target by the settings; undefined when no folder is open. */
  defaultTarget(): Target | undefined;
  /** False for a target in a folder that isn't open any more. */
  isOpen(target: Target): boolean;
  /** Lets the person pick another folder; undefined when they cancel. */
  chooseTarget(current: Target): Promise<Target | undefined>;
  /** The file name a result would get now. */
  previewName(target: Target, model: Model, inputs: JsonObject): string;
}
