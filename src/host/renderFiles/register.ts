import { commands as commandIds } from '../../app/ids';
import type { Owned } from '../../base/disposable';
import type { Services } from '../../services';
import { openRenderFilesView } from './renderFilesView';

const ids = [
  'renderEntries',
  'renderAllEntries',
  'fitEntries',
  'adoptImages',
  'checkRenderFiles',
  'newRenderFile',
  'addFileEntry',
  'addFormEntry',
] as const;

/** The Render Files view, and the commands for render files. */
export function register(own: Owned, services: Services): void {
  const { commands, renderFiles } = services;
  for (const id of ids)
    commands.register(commandIds[id], async (item, more) => (await renderFiles.get())[id](item, more));
  openRenderFilesView(own, services);
}
