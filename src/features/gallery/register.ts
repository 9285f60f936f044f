import { type Disposables, Lazy } from '../../base/disposable';
import { commands as ids, galleryViewType } from '../../editor/ids';
import type { Foundation } from '../../foundation';
import { restorePages } from '../../editor/restorePages';

/** The gallery of the project's results. */
export function register(own: Disposables, { commands, context, renders, log }: Foundation): void {
  const gallery = new Lazy(async () => {
    const { GalleryPanel } = await import('./galleryPanel');
    const { extensionUri, globalStorageUri } = context;
    return own.add(new GalleryPanel(extensionUri, await renders.get(), globalStorageUri, log));
  });
  commands.register(ids.openGallery, async () => (await gallery.get()).open());
  restorePages(own, galleryViewType, gallery);
}
