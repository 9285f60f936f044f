import { FileProblem } from '../files/problem';
import { Undelivered } from '../renders/undelivered';
import { problemSentence } from './problemWords';
import { UserError } from './userError';

/** Delivers as `deliver` does, and rejects in words a person is told where a result could not be delivered. */
export async function told<T>(deliver: () => Promise<T>): Promise<T> {
  try {
    return await deliver();
  } catch (error) {
    if (error instanceof FileProblem) throw new UserError(problemSentence(error), { cause: error });
    if (error instanceof Undelivered) throw new UserError(problemSentence(error.problem), { cause: error });
    throw error;
  }
}
