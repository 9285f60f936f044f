/**
 * The place to record how a result was made: in the file where its format allows, else in a sidecar file; always in a
 * sidecar file; nowhere.
 */
export type ProvenancePlace = 'embed' | 'sidecar' | 'none';

/**
 * The most private of several values, so that none can make another's results reveal more; without any, in the file.
 */
export function leastTold(set: readonly unknown[]): ProvenancePlace {
  if (set.includes('none')) return 'none';
  return set.includes('sidecar') ? 'sidecar' : 'embed';
}
