import type { Owned } from '../../base/disposable';
import { commands as ids } from '../../app/ids';
import type { Services } from '../../services';
import { MissingImageDoors } from './missingImageDoors';

/** The offers in documents with missing images, and the list of all of them. */
export function register(own: Owned, services: Services): void {
  const { commands, documents, settings, quickRender, renderFiles } = services;
  const missing = own.add(new MissingImageDoors(documents, settings));
  const linkAt = async (uri: unknown, offset: unknown) =>
    (await import('./missingAt')).missingAt(await missing.images(), uri, offset);
  commands.register(ids.renderMissing, async (uri, offset) =>
    (await quickRender.get()).openFor(await linkAt(uri, offset)),
  );
  commands.register(ids.addLinkEntry, async (uri, offset) =>
    (await renderFiles.get()).addLinkEntry(await linkAt(uri, offset)),
  );
  commands.register(ids.renderMissingImages, async (where) =>
    (await import('./renderMissingImages')).renderMissingImages(where, services),
  );
}
