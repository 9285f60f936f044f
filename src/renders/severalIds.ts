import type { RenderRecord } from './record';

/**
 * The ids of the renders at the service that one of ours is or may be, when there is more than one: it did not honour
 * the key, or lists several that an unknown one could be. Undefined while there is no doubt.
 */
export function severalIds({ state, generationId, otherIds = [], problem }: RenderRecord): string | undefined {
  if (generationId !== undefined && otherIds.length > 0) return [generationId, ...otherIds].join(', ');
  return state === 'unknown' && problem?.code === 'twoFound' ? problem.detail : undefined;
}
