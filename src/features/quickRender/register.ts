import { commands as ids } from '../../editor/ids';
import type { Commands } from '../../editor/commands';
import type { Lazy } from '../../base/disposable';
import type { QuickRender } from './quickRender';

/** The quick render and its variants: with a link, from a selection, into a folder. */
export function register(commands: Commands, quickRender: Lazy<QuickRender>): void {
  // A model's tooltip names its model; a keyboard shortcut may name anything.
  commands.register(ids.quickRender, async (model) =>
    (await quickRender.get()).open(undefined, typeof model === 'string' && model !== '' ? model : undefined),
  );
  commands.register(ids.renderAndInsert, async () => (await quickRender.get()).openToInsert());
  commands.register(ids.renderSelection, async () => (await quickRender.get()).openForSelection());
  commands.register(ids.renderHere, async (folder) => (await quickRender.get()).open(folder));
}
