import { withSize } from './edits';
import type { ImageLink } from './imageLink';
import { imageLinks } from './imageLinks';
import type { Size } from './shape';
import type { Edit } from './span';
import type { Syntax } from './syntax';

/**
 * One change of a document, as the editor tells it: so much from there on was replaced by the text. UTF-16 code units.
 */
export interface TextChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/**
 * Where what stood at an offset stands after these changes, each of the document as the one before left it; undefined
 * when it was replaced.
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
 * The edit that adds a size in pixels to the link that begins at an offset, where it `isOf` that picture. Undefined
 * where none does, or as `withSize`.
 */
export function withSizeAt(
  text: string,
  offset: number,
  syntax: Syntax,
  size: Size,
  isOf: (link: ImageLink) => boolean,
): Edit | undefined {
  const link = imageLinks(text, syntax).find(({ element }) => element.start === offset);
  return link && isOf(link) ? withSize(text, link, size) : undefined;
}
