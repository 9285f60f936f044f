import { centsIn } from '../base/format';
import type { FitMode } from '../files/fit/fit';
import type { ProvenancePolicy } from '../renders/provenancePolicy';

/** What one scope sets under a setting's name, and under its earlier one; undefined where it isn't set. */
export interface SetValues {
  readonly now: unknown;
  readonly before: unknown;
}

/** Euro cents; undefined where none is set. */
export type Amount = number | 'unreadable' | undefined;

/** The amount that one scope sets: in euros, or under the earlier name in whole cents. */
export function amountIn({ now, before }: SetValues): Amount {
  const cents = now === undefined ? whole(before) : centsIn(now);
  if (cents !== undefined) return cents;
  return now === undefined && before === undefined ? undefined : 'unreadable';
}

/** The same for a limit. An empty one is none, and says so: it hides what's set under the earlier name. */
export function limitIn(written: SetValues): Amount {
  const { now, before } = written;
  const isEmpty = now === null || (typeof now === 'string' && now.trim() === '');
  return isEmpty || (now === undefined && before === null) ? undefined : amountIn(written);
}

/**
 * The user's own amount, by default `otherwise`. One that can't be read stops renders (see `unreadableSetting`); until
 * they stop, the stricter of the default and the earlier setting counts: the lower one, where `0` may mean "never ask".
 */
export function userAmount(written: SetValues, otherwise: number, isOffAt0 = false): number {
  const amount = amountIn(written);
  if (amount !== 'unreadable') return amount ?? otherwise;
  const earlier = whole(written.before) ?? otherwise;
  return earlier === 0 && isOffAt0 ? otherwise : Math.min(earlier, otherwise);
}

/** A whole number of at least 0; undefined for anything else. */
export function whole(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Who records nothing doesn't record a prompt either, wherever else it's asked. */
const policies = {
  embed: { place: 'embed', prompt: true },
  embedWithoutPrompt: { place: 'embed', prompt: false },
  sidecar: { place: 'sidecar', prompt: true },
  sidecarWithoutPrompt: { place: 'sidecar', prompt: false },
  none: { place: 'none', prompt: false },
} as const;

type Metadata = keyof typeof policies;

/** What one scope lets results record: all of it where it says nothing, or nothing that can be read. */
export function metadataIn({ now, before }: SetValues, promptBefore: unknown): ProvenancePolicy {
  return policies[isMetadata(now) ? now : metadataBefore(before, promptBefore)];
}

function isMetadata(value: unknown): value is Metadata {
  return typeof value === 'string' && Object.hasOwn(policies, value);
}

export function metadataBefore(place: unknown, prompt: unknown): Metadata {
  if (place === 'none') return 'none';
  const known = place === 'sidecar' ? 'sidecar' : 'embed';
  return prompt === false ? `${known}WithoutPrompt` : known;
}

/** How missing images are fitted. `scopes`: the one that counts first. */
export function fitSetting(scopes: readonly SetValues[]): FitMode | 'none' {
  const value = scopes.map(({ now, before }) => now ?? before).find((set) => set !== undefined && set !== null);
  return isFit(value) ? value : 'cover';
}

export function isFit(value: unknown): value is FitMode | 'none' {
  return value === 'cover' || value === 'contain' || value === 'none';
}
