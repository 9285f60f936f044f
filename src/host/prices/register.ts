import type { Owned } from '../../base/disposable';
import { commands as ids } from '../../app/ids';
import type { Services } from '../../services';

/** *Compare Prices*: for the active form, else for a prompt that is asked for. */
export function register(_: Owned, { commands, forms, quickRender, comparePrices }: Services): void {
  commands.register(ids.comparePrices, async () => {
    const wish = forms.ready?.wish;
    return wish ? comparePrices(wish) : (await quickRender.get()).openToCompare();
  });
}
