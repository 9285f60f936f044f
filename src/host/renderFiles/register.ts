import { commands as ids } from '../../app/ids';
import type { Owned } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import type { Services } from '../../services';

/** The features for render files. They load once the window has started. */
export function register(own: Owned, services: Services): void {
  const opened = new Lazy(async () => (await import('./openRenderFiles')).openRenderFiles(own, services));
  const { commands } = services;
  commands.register(ids.renderEntries, async (...of) => (await opened.get()).renderEntries(of[0], of[1]));
  commands.register(ids.renderAllEntries, async () => (await opened.get()).renderAllEntries());
  commands.register(ids.adoptImages, async (...of) => (await opened.get()).adoptImages(of[0], of[1]));
  commands.register(ids.checkRenderFiles, async () => (await opened.get()).check());
  void opened.get();
}
