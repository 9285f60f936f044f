import type { Owned } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import { commands as ids, originViewType } from '../../app/ids';
import type { Foundation } from '../../foundation';
import { followFiles } from '../files/followFiles';
import { restorePages } from '../restorePages';
import type { OpenForm } from '../../app/form/openForm';

/**
 * The Explorer's commands for files: how they were made, making them again, and comparing them. Loads its code on first
 * use.
 */
export function register(own: Owned, foundation: Foundation, openForm: OpenForm): void {
  const { commands, connection, renders, session, log } = foundation;
  const pages = new Lazy(async () => own.add(new (await import('./originPanels')).OriginPanels(foundation, openForm)));
  restorePages(own, originViewType, pages);
  own.add(followFiles(log));
  commands.register(ids.howMade, async (file, inForm) => (await pages.get()).open(file, inForm));
  const actions = () => import('./originActions');
  commands.register(ids.renderFileAgain, async (file) =>
    (await actions()).renderFileAgain(file, await renders.get(), session, connection, openForm),
  );
  for (const id of ['copyFilePrompt', 'copyFileLink'] as const)
    commands.register(ids[id], async (file) => (await actions())[id](file, await renders.get()));
}
