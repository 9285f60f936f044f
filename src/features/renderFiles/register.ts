import { commands as commandIds } from '../../editor/ids';
import type { Owned } from '../../base/disposable';
import type { Foundation } from '../../foundation';
import { openRenderFilesView } from './renderFilesView';
import type { Lazy } from '../../base/lazy';
import type { OpenedRenderFiles } from './openRenderFiles';

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
export function register(own: Owned, foundation: Foundation, renderFiles: Lazy<OpenedRenderFiles>): void {
  const { commands } = foundation;
  for (const id of ids)
    commands.register(commandIds[id], async (item, more) => (await renderFiles.get())[id](item, more));
  openRenderFilesView(own, foundation, renderFiles);
}
