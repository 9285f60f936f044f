import type { JsonObject } from '../base/json';
import type { Target } from '../renders/record';

/** The render to price, and the target of its results. */
export interface PriceWish {
  readonly modelId: string;
  /** Undefined while incomplete. */
  readonly inputs: JsonObject | undefined;
  readonly target: Target;
}
