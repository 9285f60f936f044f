import { inspect } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { count, type Coverage } from './coverage';
import { Gone } from './gate';
import { openLedgerFile } from './ledgerFile';
import { scheduleOf } from './schedule';
import { shortest } from './shrink';
import { run } from './simulation';

/** A worker's task: these seeds first, then every `step`th from `from` on. */
export interface Task {
  readonly first: readonly number[];
  readonly from: number;
  readonly step: number;
  /** The total number. */
  readonly schedules: number;
  /** How long a failing schedule is shortened, ms; 0 only reports it. */
  readonly shortenMs: number;
}

export interface Failure {
  readonly seed: number;
  /** The number of schedules run, this one included. */
  readonly after: number;
  readonly promise: string;
  readonly told: string;
}

/** A worker's result: it stops at the first failure. */
export interface Report {
  readonly coverage: Coverage;
  readonly failure?: Failure;
}

/** An unhandled rejection ends the extension host of some editors, and hides an error in the others. */
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
