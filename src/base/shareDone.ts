/** What is done of something by the time it usually ends. */
const usualShare = 0.7;

/**
 * How much of something seems to be done, of 1, by how long it has gone on and how long it usually takes, both in ms.
 * Only ever grows, and slows down without a stop when it takes longer.
 */
export function shareDone(elapsedMs: number, usualMs: number): number {
  const times = Math.max(0, elapsedMs) / Math.max(1, usualMs);
  if (times <= 1) return usualShare * times;
  const left = 1 - usualShare;
  return 1 - left / (1 + (usualShare / left) * (times - 1));
}
