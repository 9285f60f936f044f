import type { Owned } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import { commands as ids, originViewType } from '../../app/ids';
import type { Services } from '../../services';
import { followFiles } from '../files/followFiles';
import { restorePages } from '../restorePages';

/**
 * The Explorer's commands for files: how they were made, making them again, and comparing them. Loads its code on first
 * use.
 */
export function register(own: Owned, services: Services): void {
  const { commands, log } = services;
  const pages = new Lazy(async () => own.add(new (await import('./originPanels')).OriginPanels(services)));
  restorePages(own, originViewType, pages);
  own.add(followFiles(log));
  commands.register(ids.howMade, async (file, inForm) => (await pages.get()).open(file, inForm));
  for (const id of ['renderFileAgain', 'copyFilePrompt', 'copyFileLink'] as const)
    commands.register(ids[id], async (file) => (await import('./originActions'))[id](file, services));
}
