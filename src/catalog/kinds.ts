import type { Event } from '../base/event';
import type { Place } from './session';
import type { ModelKind, ModelSummary } from './types';

/** Knows what a model makes if its service doesn't say. */
export interface KnownKinds {
  readonly onDidChange: Event<void>;
  /** Undefined while nobody knows. */
  of(place: Place, modelId: string): ModelKind | undefined;
}

/** True when the model makes this, as far as anybody knows: one whose kind nobody states counts as making it. */
export function mayMake({ kind }: Pick<ModelSummary, 'kind'>, wanted: ModelKind): boolean {
  return kind === undefined || kind === wanted;
}
