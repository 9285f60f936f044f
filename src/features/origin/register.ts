import { type Disposables, Lazy } from '../../base/disposable';
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
  const actions = () => import('./originPanels');
  const pages = new Lazy(async () => own.add(new (await actions()).OriginPanels(foundation, openForm)));
  restorePages(own, originViewType, pages);
  own.add(followFiles(log));
  // The second one had a page of its own.
  for (const id of [ids.howMade, ids.showDetails])
    commands.register(id, async (item, inForm) => (await pages.get()).open(item, inForm));
  commands.register(ids.renderFileAgain, async (file) =>
    (await actions()).renderFileAgain(file, await renders.get(), session, connection, openForm),
  );
  commands.register(ids.copyFilePrompt, async (file) => (await actions()).copyFilePrompt(file, await renders.get()));
  commands.register(ids.copyFileLink, async (file) =>
    (await actions()).copyFileLink(file, await renders.get(), await documents.get()),
  );
}
