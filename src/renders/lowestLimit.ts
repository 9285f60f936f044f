/**
 * The effective limit (whole euro cents) of several: the lowest, so that none can raise another's. Fractions are
 * dropped, negative numbers are 0, and anything but a number sets no limit.
 */
export function lowestLimit(set: readonly unknown[]): number | undefined {
  const limits = set.filter((value) => typeof value === 'number' && Number.isFinite(value));
  return limits.length === 0 ? undefined : Math.max(0, Math.floor(Math.min(...(limits as number[]))));
}
