import type { RenderRecord } from './record';

/**
 * When renders of one account last reached the key's daily cap, ms since 1970. Undefined when that was before `from` or
 * when a render was charged since. Only the service knows when the cap resets.
 */
export function capReachedAt(records: readonly RenderRecord[], from: number): number | undefined {
  const refusals = records.filter(({ state, problem }) => state === 'refused' && problem?.code === 'dailyCap');
  const reached = latest(refusals.map(({ endedAt }) => endedAt));
  const charged = latest(records.map(({ acceptedAt }) => acceptedAt));
  return reached >= from && reached >= charged ? reached : undefined;
}

function latest(times: readonly (number | undefined)[]): number {
  return times.reduce<number>((last, time) => Math.max(last, time ?? -Infinity), -Infinity);
}
