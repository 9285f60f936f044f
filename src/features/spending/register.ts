import { type Disposables, Lazy } from '../../base/disposable';
import { commands as ids, spendViewType } from '../../editor/ids';
import type { Foundation } from '../../foundation';
import { restorePages } from '../../editor/restorePages';

/** The spending page. */
export function register(own: Disposables, { commands, context, renders, session, log }: Foundation): void {
  const spend = new Lazy(async () => {
    const { SpendPanel } = await import('./spendPanel');
    return own.add(new SpendPanel(context.extensionUri, (await renders.get()).library, session, log));
  });
  commands.register(ids.showSpend, async () => (await spend.get()).open());
  restorePages(own, spendViewType, spend);
}
