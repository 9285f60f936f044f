import type { ImageLink } from '../../documents/imageLink';
import { promptOf } from '../../documents/prompt';
import { shapeOf } from '../../documents/shape';
import { fileKey } from '../../files/sameFile';
import type { MissingImage } from './missingList';

/** A link to an image that is not there. */
export interface MissingLink {
  readonly link: ImageLink;
  /** URI. */
  readonly file: string;
  /** Why nothing can be saved as that file, in words. */
  readonly problem: string | undefined;
}

/**
 * Adds what a document (URI) asks for to the images that are to be rendered, by `fileKey`: what several links name is
 * one image, which is ordered and paid once. The first link with words says what it shows, the first with a size how
 * large it is.
 */
export function joinMissing(
  images: Map<string, MissingImage>,
  document: string,
  { link, file, problem }: MissingLink,
): void {
  const key = fileKey(file);
  const known = images.get(key);
  const prompt = known?.prompt ?? promptOf(link);
  const size = known?.size ?? shapeOf(link);
  if (known) images.set(key, { ...known, documents: [...known.documents, document], prompt, size });
  else images.set(key, { file, documents: [document], offset: link.address.start, prompt, size, problem });
}
