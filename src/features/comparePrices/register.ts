import { commands as ids } from '../../editor/ids';
import type { Commands } from '../../editor/commands';
import type { DraftRequest } from '../../compose/offer';
import type { Lazy } from '../../base/disposable';
import type { Verbs } from '../../foundation';

/** *Compare Prices*: for the active form, else for a prompt that is asked for. */
export function register(
  commands: Commands,
  comparePrices: Verbs['comparePrices'],
  requestInForm: () => DraftRequest | undefined,
  quickRender: Lazy<{ openToCompare(): Promise<void> }>,
): void {
  commands.register(ids.comparePrices, async () => {
    const request = requestInForm();
    return request ? comparePrices(request) : (await quickRender.get()).openToCompare();
  });
}
