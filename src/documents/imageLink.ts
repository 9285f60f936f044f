import { decodedPath } from './address';
import type { LinkKind } from './linkKind';
import type { Span, Written } from './span';
import type { Syntax } from './syntax';

/** A place of a document that shows the image of a file, or would. */
export interface ImageLink {
  readonly kind: LinkKind;
  /** The language at that place: a style inside HTML is CSS, a tag inside MDX is JSX. */
  readonly syntax: Syntax;
  /** The text that is removed with the link: the tag, the statement, the directive with its options. */
  readonly element: Span;
  /** Its address, as written; for a reference of Markdown this is in the definition. */
  readonly address: Written;
  /**
   * The address as a path, `/` between segments: without query and fragment, percent-encoding decoded where the
   * language has it.
   */
  readonly path: string;
  /** The description of the picture; the caption, if a figure has no other words. */
  readonly alt?: Written;
  readonly title?: Written;
  /** Stated in pixels. */
  readonly width?: number;
  /** Stated in pixels. */
  readonly height?: number;
  /**
   * What the script calls an image: an import by its name, and on the way to `imageLinks` a tag that shows one by it.
   */
  readonly name?: string;
  /** The address is put together by the document's own commands: what it leads to is only known once they are run. */
  readonly composed?: boolean;
  /**
   * Folders below which the document says its images are (`\graphicspath`, `:imagesdir:`); one of them may be the
   * document's own, ''.
   */
  readonly folders?: readonly string[];
}

/** A link, its path read from its address. */
export function imageLink(link: Omit<ImageLink, 'path'>): ImageLink {
  return { ...link, path: decodedPath(link.address.text, link) };
}

/** The link of a text that is elsewhere: `at` gives the place of each character in the whole document. */
export function moved(link: ImageLink, at: (offset: number) => number): ImageLink {
  const span = <T extends Span>(part: T): T => ({
    ...part,
    start: at(part.start),
    // The end is after the last character, wherever the next one is.
    end: part.end > part.start ? at(part.end - 1) + 1 : at(part.start),
  });
  return {
    ...link,
    element: span(link.element),
    address: span(link.address),
    ...(link.alt && { alt: span(link.alt) }),
    ...(link.title && { title: span(link.title) }),
  };
}

/** A link of a text that begins at `by` in the whole document. */
export function shifted(link: ImageLink, by: number): ImageLink {
  return by === 0 ? link : moved(link, (offset) => offset + by);
}
