import type { Event } from '../../base/event';
import type { JsonObject } from '../../base/json';
import type { Model } from '../../catalog/types';
import type { PricedOrder } from '../../renders/priced';
import type { RenderRecord, Target } from '../../renders/record';
import type { LinkPlace } from '../../documents/linkPlace';

/**
 * What the form needs done for it. It gathers what a person wants; whether and how money is spent is decided behind
 * this.
 */
export interface FormPort {
  /**
   * Renders the order after whatever confirmation it needs, and inserts a link to the result at the place. Undefined
   * when the person said no: nothing was sent. Rejects when nothing was recorded.
   */
  render(order: PricedOrder, place?: LinkPlace): Promise<RenderRecord | undefined>;
  /**
   * Where a link to a result that goes there can be inserted now; undefined where the person was writing last, none
   * can.
   */
  linkPlace(target: Target): LinkPlace | undefined;
  readonly onDidChangeLinkPlace: Event<void>;
  /**
   * Lets the person choose what the balance covers in place of this: the inputs when it is the same model. Another
   * model's form opens by itself, about the same target.
   */
  whatFits(modelId: string, inputs: JsonObject, target: Target): Promise<JsonObject | undefined>;
  /** Where results go by the settings; undefined when no folder is open. */
  defaultTarget(): Target | undefined;
  /** Lets the person choose another folder; undefined when they choose none. */
  chooseTarget(current: Target): Promise<Target | undefined>;
  /** The file name a result would get now. */
  previewName(target: Target, model: Model, inputs: JsonObject): string;
}
