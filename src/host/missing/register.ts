import type { Owned } from '../../base/disposable';
import { commands as ids } from '../../app/ids';
import type { Services } from '../../services';
import { MissingImageDoors } from './missingImageDoors';

/** The offers in documents with missing images, and the list of all of them. */
export function register(own: Owned, services: Services): void {
  const { commands, documents, settings, quickRender } = services;
  const missing = own.add(new MissingImageDoors(documents, settings));
  commands.register(ids.renderMissing, async (uri, offset) => {
    const { missingAt } = await import('./missingAt');
    const link = await missingAt(await missing.images(), uri, offset);
    return (await quickRender.get()).openFor(link);
  });
  commands.register(ids.renderMissingImages, async (where) => {
    const { renderMissingImages } = await import('./renderMissingImages');
    return renderMissingImages(where, services);
  });
}
