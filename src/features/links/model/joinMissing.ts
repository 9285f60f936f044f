import type { ImageLink } from '../../../documents/imageLink';
import type { Doubt } from '../../../documents/located';
import { isWorthRendering, promptOf } from '../../../documents/prompt';
import { shapeOf } from '../../../documents/shape';
import { fileKey } from '../../../files/sameFile';
import type { MissingImage } from './missingList';

/** A link to an image that doesn't exist. */
export interface MissingLink {
  readonly link: ImageLink;
  /** URI. */
  readonly file: string;
  /** Why nothing can be saved as that file, in words. */
  readonly problem: string | undefined;
  readonly doubt?: Doubt;
}

/**
 * Adds a document's (URI) links to the missing images, by `fileKey`. An image that several links name is ordered and
 * paid for once. The first link with words describes it, the first with a size sets its size.
 */
export function joinMissing(
  images: Map<string, MissingImage>,
  document: string,
  { link, file, problem, doubt }: MissingLink,
): void {
  const key = fileKey(file);
  const known = images.get(key);
  const words = promptOf(link);
  const isDescribed = known?.prompt !== undefined;
  const more = {
    prompt: isDescribed ? known.prompt : words,
    isWorth: known && (isDescribed || words === undefined) ? known.isWorth : isWorthRendering(link),
    size: known?.size ?? shapeOf(link),
  };
  if (known) images.set(key, { ...known, documents: [...known.documents, document], ...more });
  else {
    const { address, cell } = link;
    images.set(key, { file, documents: [document], offset: address.start, cell, problem, doubt, ...more });
  }
}
