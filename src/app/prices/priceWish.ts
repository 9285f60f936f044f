import type { JsonObject } from '../../base/json';
import type { Target } from '../../renders/record';

/** What to render, and where the results go. */
export interface PriceWish {
  readonly modelId: string;
  /** Undefined while incomplete. */
  readonly inputs: JsonObject | undefined;
  readonly target: Target;
}
