import type { Disposables } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import { commands as ids, originViewType } from '../../editor/ids';
import type { Foundation } from '../../foundation';
import { followFiles } from '../../editor/followFiles';
import { restorePages } from '../../editor/restorePages';
import type { OpenForm } from '../../compose/openForm';
import type { Documents } from '../links/documents';

/**
 * The Explorer's commands for files: how they were made, making them again, and comparing them. Loads its code on first
 * use.
 */
export function register(
  own: Disposables,
  foundation: Foundation,
  documents: Lazy<Documents>,
  openForm: OpenForm,
): void {
  const { commands, connection, renders, session, log } = foundation;
  const pages = new Lazy(async () => own.add(new (await import('./originPanels')).OriginPanels(foundation, openForm)));
  restorePages(own, originViewType, pages);
  own.add(followFiles(log));
  commands.register(ids.howMade, async (file, inForm) => (await pages.get()).open(file, inForm));
  const actions = () => import('./originPanels');
  commands.register(ids.renderFileAgain, async (file) =>
    (await actions()).renderFileAgain(file, await renders.get(), session, connection, openForm),
  );
  commands.register(ids.copyFilePrompt, async (file) => (await actions()).copyFilePrompt(file, await renders.get()));
  commands.register(ids.copyFileLink, async (file) =>
    (await actions()).copyFileLink(file, await renders.get(), await documents.get()),
  );
}
