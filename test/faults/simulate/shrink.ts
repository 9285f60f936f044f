import type { Action, Schedule } from './schedule';
import { type LedgerFile, type Outcome, run } from './simulation';

/** A schedule that breaks a promise, reduced as far as time allowed. */
export interface Shortest {
  readonly schedule: Schedule;
  readonly outcome: Outcome;
}

/** Removes actions and faults one by one while the same promise is still broken, for at most `ms` of real time. */
export async function shortest(schedule: Schedule, file: LedgerFile, ms: number): Promise<Shortest> {
  const until = performance.now() + ms;
  const spared = new Set<string>();
  let best: Shortest = { schedule, outcome: await run(schedule, file) };
  const promise = best.outcome.broken?.promise;
  const holds = async (actions: readonly Action[], without: ReadonlySet<string>) => {
    const shorter = { ...best.schedule, actions };
    const outcome = await run(shorter, file, { spared: without });
    if (outcome.broken?.promise !== promise) return false;
    best = { schedule: shorter, outcome };
    return true;
  };
  for (let before = Infinity; sizeOf(best) < before && performance.now() < until;) {
    before = sizeOf(best);
    for (const action of [...best.schedule.actions].reverse()) {
      if (performance.now() < until)
        await holds(
          best.schedule.actions.filter((one) => one !== action),
          spared,
        );
    }
    for (const fault of [...best.outcome.struck].reverse()) {
      if (performance.now() < until && (await holds(best.schedule.actions, new Set([...spared, fault]))))
        spared.add(fault);
    }
  }
  return { schedule: best.schedule, outcome: await run(best.schedule, file, { spared, traced: true }) };
}

function sizeOf({ schedule, outcome }: Shortest): number {
  return schedule.actions.length + outcome.struck.length;
}
