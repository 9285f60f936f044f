import { commands as ids } from '../../editor/ids';
import type { Commands } from '../../editor/commands';
import type { Lazy } from '../../base/disposable';
import type { QuickRender } from './quickRender';

/** The quick render and its variants: with a link, from a selection, into a folder. */
export function register(commands: Commands, quickRender: Lazy<QuickRender>): void {
  commands.register(ids.quickRender, async (model) => (await quickRender.get()).open(undefined, model));
  commands.register(ids.renderAndInsert, async () => (await quickRender.get()).openToInsert());
  commands.register(ids.renderSelection, async () => (await quickRender.get()).openForSelection());
  commands.register(ids.renderHere, async (folder) => (await quickRender.get()).open(folder));
}
