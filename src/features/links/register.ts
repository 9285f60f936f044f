import type { Owned } from '../../base/disposable';
import { commands as ids } from '../../editor/ids';
import type { StyleShelf } from '../../compose/projectStyles';
import type { Foundation } from '../../foundation';
import { MissingImageDoors } from './missingImageDoors';
import type { Lazy } from '../../base/lazy';
import type { Documents } from './documents';
import type { DocumentLink } from './documentLinks';

/** The offers in documents with missing images, and the list of all of them. */
export function register(
  own: Owned,
  foundation: Foundation,
  documents: Lazy<Documents>,
  renderFiles: Lazy<{ readonly styles: StyleShelf; addLinkEntry(link: DocumentLink): Promise<void> }>,
  quickRender: Lazy<{ openFor(link: DocumentLink): Promise<void> }>,
): void {
  const { commands, settings } = foundation;
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
    (await import('./renderMissingImages')).renderMissingImages(
      where,
      foundation,
      await documents.get(),
      (await renderFiles.get()).styles,
    ),
  );
}
