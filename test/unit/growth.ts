/** The CPU time that the work takes, ms, excluding the threads that compile it or collect its garbage. */
function cost(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Whether eight or ten times the input takes nowhere near its square. Tries up to five times, since a busy machine or a
 * cold start can inflate the time. Anything under an `instant`, ms, counts as proportional.
 */
export function growsInProportion(short: () => unknown, long: () => unknown, instant = 2): boolean {
  return [1, 2, 3, 4, 5].some(() => {
    const less = cost(short);
    return cost(long) / Math.max(less, instant) < 30;
  });
}

/** The same for work that yields to other work: nothing else may run at the same time. */
export async function growsInProportionInTurns(
  short: () => Promise<unknown>,
  long: () => Promise<unknown>,
): Promise<boolean> {
  const cost = async (work: () => Promise<unknown>) => {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  for (let tries = 0; tries < 5; tries++) {
    const less = await cost(short);
    if ((await cost(long)) / Math.max(less, 2) < 30) return true;
  }
  return false;
}
