/**
 * The limit (whole euro cents) that holds where several may set one: the lowest, so that none can raise another's. A
 * part of a cent is none, what is below 0 is 0; what is no number sets no limit.
 */
export function lowestLimit(set: readonly unknown[]): number | undefined {
  const limits = set.filter((value) => typeof value === 'number' && Number.isFinite(value));
  return limits.length === 0 ? undefined : Math.max(0, Math.floor(Math.min(...(limits as number[]))));
}
