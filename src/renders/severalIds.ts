import type { RenderRecord } from './record';

/**
 * The ids of several renders at the service that one of our renders is or may be: the service ignored the key, or lists
 * several that could be an unknown one. Undefined while there is no doubt.
 */
export function severalIds({ state, generationId, otherIds = [], problem }: RenderRecord): string | undefined {
  if (generationId !== undefined && otherIds.length > 0) return [generationId, ...otherIds].join(', ');
  return state === 'unknown' && problem?.code === 'twoFound' ? problem.detail : undefined;
}
