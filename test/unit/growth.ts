/** How often it's measured at most, since a busy machine or a cold start can inflate a time. */
const mostTries = 5;

/** What takes this long is measured well enough on every machine, ms. */
const steadyMs = 50;
const mostTimes = 256;

/**
 * Whether eight or ten times the input takes nowhere near its square. Anything under an `instant`, ms, counts as
 * proportional.
 */
export function growsInProportion(short: () => unknown, long: () => unknown, instant = 2): boolean {
  const cost = (work: () => unknown) => {
    const before = threadMs();
    work();
    return threadMs() - before;
  };
  for (let tries = 0; tries < mostTries; tries++) if (isProportional(cost(short), cost(long), instant)) return true;
  return isProportional(steadyCost(short), cost(long), instant);
}

/** The cost of work that is over sooner than some machines count, which is every 10 ms: the mean of many times. */
function steadyCost(work: () => unknown): number {
  for (let times = 1; ; times *= 4) {
    const before = threadMs();
    for (let n = 0; n < times; n++) work();
    const ms = threadMs() - before;
    if (ms >= steadyMs || times >= mostTimes) return ms / times;
  }
}

/** The same for work that yields to other work, of which there must be none. */
export async function growsInProportionInTurns(
  short: () => Promise<unknown>,
  long: () => Promise<unknown>,
): Promise<boolean> {
  const cost = async (work: () => Promise<unknown>) => {
    const before = threadMs();
    await work();
    return threadMs() - before;
  };
  for (let tries = 0; tries < mostTries; tries++)
    if (isProportional(await cost(short), await cost(long), 2)) return true;
  return false;
}

/** The thread's CPU time, ms, excluding the threads that compile its code or collect its garbage. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function isProportional(short: number, long: number, instant: number): boolean {
  return long / Math.max(short, instant) < 30;
}
