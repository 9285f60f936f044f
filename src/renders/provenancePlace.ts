/**
 * Where a result tells how it was made: in itself where its format can hold it, else beside it; always beside it;
 * nowhere.
 */
export type ProvenancePlace = 'embed' | 'sidecar' | 'none';

/**
 * The one that tells least of what several set, so that none can make another's results tell more; where nobody set
 * any, in the file.
 */
export function leastTold(set: readonly unknown[]): ProvenancePlace {
  if (set.includes('none')) return 'none';
  return set.includes('sidecar') ? 'sidecar' : 'embed';
}
