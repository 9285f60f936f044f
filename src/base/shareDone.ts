/** The progress shown at the usual time. */
const usualShare = 0.7;

/**
 * The progress to show, up to 1, from the elapsed and the usual time, both in ms. Always grows, ever more slowly after
 * the usual time.
 */
export function shareDone(elapsedMs: number, usualMs: number): number {
  const times = Math.max(0, elapsedMs) / Math.max(1, usualMs);
  if (times <= 1) return usualShare * times;
  const left = 1 - usualShare;
  return 1 - left / (1 + (usualShare / left) * (times - 1));
}
