import type { Owned } from '../../base/disposable';
import { commands as ids, compareViewType } from '../../app/ids';
import type { Services } from '../../services';
import { restorePages } from '../restorePages';

/** The comparisons of images: restored ones, and the Explorer's commands. */
export function register(own: Owned, services: Services): void {
  const { commands, comparisons } = services;
  restorePages(own, compareViewType, comparisons);
  for (const id of ['compareFiles', 'comparePrevious', 'compareHead'] as const)
    commands.register(ids[id], async (file, files) => (await import('./compareActions'))[id](file, files, services));
}
