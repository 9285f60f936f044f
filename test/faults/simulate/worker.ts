import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { count, type Coverage } from './coverage';
import { Gone } from './gate';
import { openLedgerFile } from './ledgerFile';
import { scheduleOf } from './schedule';
import { shortest } from './shrink';
import { run } from './simulation';

/** What a worker is to do: these seeds first, then every `step`th from `from` on. */
export interface Task {
  readonly first: readonly number[];
  readonly from: number;
  readonly step: number;
  /** How many in all. */
  readonly schedules: number;
  /** How long a schedule that fails is shortened, ms; 0 says only that it failed. */
  readonly shortenMs: number;
}

export interface Failure {
  readonly seed: number;
  /** How many schedules it took, this one included. */
  readonly after: number;
  readonly promise: string;
  readonly told: string;
}

/** What a worker found: it stops at the first failure. */
export interface Report {
  readonly coverage: Coverage;
  readonly failure?: Failure;
}

/**
 * A promise nobody listens to ends the extension host of some editors, and tells of an error nobody sees in the others.
 */
let unheard: unknown;
process.on('unhandledRejection', (error) => {
  if (!(error instanceof Gone)) unheard = error;
});

async function work({ first, from, step, schedules, shortenMs }: Task): Promise<Report> {
  const file = await openLedgerFile();
  const coverage: Coverage = {};
  try {
    for (let after = 1; after <= schedules; after++) {
      const seed = first[after - 1] ?? from + (after - 1 - first.length) * step;
      unheard = undefined;
      const schedule = scheduleOf(seed);
      const outcome = await run(schedule, file);
      count(coverage, outcome);
      if (unheard !== undefined)
        return { coverage, failure: { seed, after, promise: 'every error is heard', told: inspect(unheard) } };
      if (!outcome.broken) continue;
      const { promise, how } = outcome.broken;
      if (shortenMs === 0) return { coverage, failure: { seed, after, promise, told: how } };
      const short = await shortest(schedule, file, shortenMs);
      const told = [
        short.outcome.broken?.how ?? how,
        `Faults switched on: ${schedule.kinds.join(', ')}`,
        `Faults that are needed: ${short.outcome.struck.join(', ')}`,
        `The service: ${JSON.stringify(schedule.policy)}`,
        ...short.outcome.trace,
      ].join('\n');
      return { coverage, failure: { seed, after, promise, told } };
    }
    return { coverage };
  } finally {
    file.dispose();
  }
}

void work(workerData as Task).then((report) => parentPort?.postMessage(report));
