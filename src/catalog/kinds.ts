import type { Event } from '../base/event';
import type { Place } from './session';
import type { ModelKind, ModelSummary } from './types';

/** Knows what a model makes if its service doesn't say. */
export interface KnownKinds {
  readonly onDidChange: Event<void>;
  /** Undefined while unknown. */
  of(place: Place, modelId: string): ModelKind | undefined;
}

/** True if the model makes this, as far as is known: a model of unknown kind counts as one that does. */
export function mayMake({ kind }: Pick<ModelSummary, 'kind'>, wanted: ModelKind): boolean {
  return kind === undefined || kind === wanted;
}
