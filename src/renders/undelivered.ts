import type { Problem } from './record';

/** A delivery that waits for something other than time. */
export class Undelivered extends Error {
  override readonly name = 'Undelivered';
  constructor(readonly problem: Problem) {
    super(`The result can’t be delivered (${problem.code})`);
  }
}
