import { type Disposables, Lazy } from '../../base/disposable';
import { commands as ids, galleryViewType } from '../../editor/ids';
import type { Foundation } from '../../foundation';
import { restorePages } from '../../editor/restorePages';

/** The gallery of the project's results. */
export function register(own: Disposables, { commands, memory, renders, log }: Foundation): void {
  const gallery = new Lazy(async () => {
    const { GalleryPanel } = await import('./galleryPanel');
    return own.add(new GalleryPanel(await renders.get(), memory, log));
  });
  commands.register(ids.openGallery, async () => (await gallery.get()).open());
  restorePages(own, galleryViewType, gallery);
}
