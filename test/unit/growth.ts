/** Processor time that the work takes, ms, without that of the threads that compile it or free its memory. */
function cost(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * True if eight or ten times as much takes nowhere near the square of that. Tried up to five times, as a busy machine,
 * or a first time, can make it look long; what is over in an `instant`, ms, says nothing.
 */
export function growsInProportion(short: () => unknown, long: () => unknown, instant = 2): boolean {
  return [1, 2, 3, 4, 5].some(() => {
    const less = cost(short);
    return cost(long) / Math.max(less, instant) < 30;
  });
}
