import { withSize } from './edits';
import type { ImageLink } from './imageLink';
import type { Size } from './shape';
import type { Edit } from './span';

/** One change to a document as the editor reports it: a range replaced with text, in UTF-16 code units. */
export interface TextChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/**
 * Where an offset ends up after these changes, each based on the document that the previous one left; undefined if its
 * text was replaced.
 */
export function movedBy(offset: number, changes: readonly TextChange[]): number | undefined {
  let at = offset;
  for (const { rangeOffset, rangeLength, text } of changes) {
    if (rangeOffset + rangeLength <= at) at += text.length - rangeLength;
    else if (rangeOffset <= at) return undefined;
  }
  return at;
}

/**
 * The edit that adds a size in pixels to the link at an offset, one of the text's `links`, if `isOf` accepts it.
 * Undefined without such a link, or as `withSize`.
 */
export function withSizeAt(
  text: string,
  links: readonly ImageLink[],
  offset: number,
  size: Size,
  isOf: (link: ImageLink) => boolean,
): Edit | undefined {
  const link = links.find(({ element }) => element.start === offset);
  return link && isOf(link) ? withSize(text, link, size) : undefined;
}
