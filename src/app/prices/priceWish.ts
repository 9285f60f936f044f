import type { JsonObject } from '../../base/json';
import type { Target } from '../../renders/record';

/** What is to be rendered, and where the results go. */
export interface PriceWish {
  readonly modelId: string;
  /** Undefined while they are not complete. */
  readonly inputs: JsonObject | undefined;
  readonly target: Target;
}
