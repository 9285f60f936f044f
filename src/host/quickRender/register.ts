import type { Owned } from '../../base/disposable';
import { commands as ids } from '../../app/ids';
import type { Services } from '../../services';

/** The quick render and its variants: with a link, from a selection, into a folder. */
export function register(_: Owned, { commands, quickRender }: Services): void {
  commands.register(ids.quickRender, async () => (await quickRender.get()).open());
  commands.register(ids.renderAndInsert, async () => (await quickRender.get()).openToInsert());
  commands.register(ids.renderSelection, async () => (await quickRender.get()).openForSelection());
  commands.register(ids.renderHere, async (folder) => (await quickRender.get()).open(folder));
}
