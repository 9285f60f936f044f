import { remedyOf } from '../../app/userError';
import { showProblem } from '../commands';
import { sentenceOf } from '../words';

/**
 * Whether the person agrees to a list's total. If it can't be asked about, such as for exceeding a limit, they see why,
 * and it's a no: the list is to be shown again as it was. Never rejects.
 */
export async function isAgreed(ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask();
  } catch (error) {
    void showProblem(sentenceOf(error), remedyOf(error));
    return false;
  }
}
