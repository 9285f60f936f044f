import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { hunt, schedules, seed, simulated } from '../../extent';
import { bugs } from './bugs';
import { buildWorker, failsIn, misplaced } from './build';
import { lacking, sum } from './coverage';
import { onceFailed } from './seeds';
import type { Report, Task } from './worker';

// Inputs of hundreds of kB become garbage quickly: with a small initial heap each would trigger a full collection.
setFlagsFromString('--initial-old-space-size=256');

const workers = Math.max(1, availableParallelism());

test(`${schedules} schedules of faults break no promise`, async (t) => {
  const begin = performance.now();
  const worker = await buildWorker();
  const each = Math.ceil(schedules / workers);
  const reports = await Promise.all(
    Array.from({ length: workers }, (_, n) => {
      const first = n === 0 ? onceFailed : [];
      return runIn(worker, {
        first,
        from: seed + simulated + n,
        step: workers,
        schedules: each + first.length,
        shortenMs: 20_000,
      });
    }),
  );
  for (const { failure } of reports) {
    if (failure) assert.fail(`Seed ${failure.seed} breaks “${failure.promise}”: ${failure.told}`);
  }
  t.diagnostic(`seconds: ${Math.round((performance.now() - begin) / 1000)}`);
  const coverage = sum(reports.map((report) => report.coverage));
  for (const [name, times] of Object.entries(coverage)) t.diagnostic(`${name}: ${times}`);
  assert.deepEqual(lacking(coverage), [], 'what is not reached is not tested');
});

test('every planted bug has exactly one place in the source', () => {
  assert.deepEqual(misplaced(bugs), []);
});

const isLeft = hunt === 0 && 'the hunt belongs to the full size';

test('every planted bug is caught', { skip: isLeft }, async (t) => {
  const left = [...bugs];
  const escaped: string[] = [];
  const seek = async () => {
    for (let bug = left.shift(); bug; bug = left.shift()) {
      const { name, caughtBy } = bug;
      if (typeof caughtBy === 'string') {
        if (await failsIn(caughtBy, bug)) t.diagnostic(`${name}: caught by ${caughtBy}`);
        else escaped.push(name);
        continue;
      }
      const worker = await buildWorker(bug);
      // What caught it last most likely still does; only after a change of the order of chance is it hunted again.
      const { failure } = await runIn(worker, {
        first: [caughtBy],
        from: seed,
        step: 1,
        schedules: hunt + 1,
        shortenMs: 0,
      });
      if (!failure) escaped.push(name);
      else t.diagnostic(`${name}: caught by seed ${failure.seed}, “${failure.promise}”`);
    }
  };
  await Promise.all(Array.from({ length: workers }, seek));
  assert.ok(bugs.length >= 25);
  assert.deepEqual(escaped, []);
});

/** Runs a task in a worker thread. */
function runIn(worker: string, task: Task): Promise<Report> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(worker, { workerData: task });
    thread.once('message', resolve);
    thread.once('error', reject);
    thread.once('exit', (code) => reject(new Error(`The worker ended with ${code} and no report.`)));
  });
}
