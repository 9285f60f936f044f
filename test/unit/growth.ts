/** Milliseconds of the processor that the work takes. */
function cost(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * True if eight times as much takes nowhere near sixty-four times as long. Tried up to three times, as a busy machine,
 * or a first time, can make it look long; what is over in an `instant`, ms, says nothing.
 */
export function growsInProportion(short: () => unknown, long: () => unknown, instant = 2): boolean {
  return [1, 2, 3].some(() => {
    const less = cost(short);
    return cost(long) / Math.max(less, instant) < 30;
  });
}
