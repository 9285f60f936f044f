import { commands as ids } from '../../app/ids';
import type { Owned } from '../../base/disposable';
import type { Services } from '../../services';

const own = [
  'renderEntries',
  'renderAllEntries',
  'adoptImages',
  'checkRenderFiles',
  'newRenderFile',
  'addFileEntry',
  'addFormEntry',
] as const;

/** The features for render files. They load once the window has started. */
export function register(_: Owned, { commands, renderFiles }: Services): void {
  for (const id of own) commands.register(ids[id], async (item, more) => (await renderFiles.get())[id](item, more));
  void renderFiles.get();
}
