import { commands as ids } from '../../editor/ids';
import type { Commands } from '../../editor/commands';
import type { DraftRequest } from '../../compose/offer';
import type { Lazy } from '../../base/disposable';
import type { Verbs } from '../../foundation';

/** *Compare Prices*: of a model in the Models view, else of the active form, else of a prompt that is asked for. */
export function register(
  commands: Commands,
  comparePrices: Verbs['comparePrices'],
  requestInForm: () => DraftRequest | undefined,
  quickRender: Lazy<{ openToCompare(modelId: string | undefined): Promise<void> }>,
): void {
  commands.register(ids.comparePrices, async (argument) => {
    const { modelIdOf } = await import('../models/modelPicker');
    // The active form's own button names its tab.
    const modelId = modelIdOf(argument);
    const request = modelId === undefined ? requestInForm() : undefined;
    return request ? comparePrices(request) : (await quickRender.get()).openToCompare(modelId);
  });
}
