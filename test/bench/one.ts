// Runs one bench in this process: the argument is its name, and its rows go to the parent process.
import { reasonOf } from '../../src/base/log';
import { benches, isBench } from './benches';
import type { Outcome } from './outcome';

async function measured(name: string): Promise<Outcome> {
  if (!isBench(name)) return { problem: `There is no bench "${name}".` };
  try {
    return { rows: await benches[name]() };
  } catch (error) {
    return { problem: reasonOf(error) };
  }
}

void measured(process.argv[2] ?? '').then((outcome) => process.send?.(outcome, () => process.exit()));
