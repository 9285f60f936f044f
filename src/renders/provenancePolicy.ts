/** How much results tell of how they were made. */
export interface ProvenancePolicy {
  readonly place: ProvenancePlace;
  /** False when texts the user typed are left out. */
  readonly prompt: boolean;
}

/** The user's and the project's settings for a workspace folder (URI; undefined for none). */
export interface ProvenanceSettings {
  /** `ordered`: what was recorded with the order. The more private applies. */
  provenance(root: string | undefined, ordered?: ProvenancePlace): ProvenancePlace;
  provenancePrompt(root: string | undefined): boolean;
}

/**
 * The place to record how a result was made: in the file where its format allows, else in a sidecar file; always in a
 * sidecar file; nowhere.
 */
export type ProvenancePlace = 'embed' | 'sidecar' | 'none';

/**
 * The most private of several values, so that none can make another's results reveal more; without any, in the file.
 */
export function mostPrivate(set: readonly unknown[]): ProvenancePlace {
  if (set.includes('none')) return 'none';
  return set.includes('sidecar') ? 'sidecar' : 'embed';
}
