import { decodedPath } from './address';
import type { LinkKind } from './linkKind';
import type { Span, Written } from './span';
import type { Syntax } from './syntax';

/** A place in a document that shows an image file, or would. */
export interface ImageLink {
  readonly kind: LinkKind;
  /** The language at that place: a style inside HTML is CSS, a tag inside MDX is JSX. */
  readonly syntax: Syntax;
  /** The text that is removed with the link: the tag, the statement, or the directive with its options. */
  readonly element: Span;
  /** The address as written; for a Markdown reference, in its definition. */
  readonly address: Written;
  /**
   * The address as a path with `/` between segments: without query and fragment, and percent-decoded where the language
   * encodes.
   */
  readonly path: string;
  /** The description of the image; the caption if a figure has no other text. */
  readonly alt?: Written;
  readonly title?: Written;
  /** In pixels. */
  readonly width?: number;
  /** In pixels. */
  readonly height?: number;
  /**
   * The script's name for an image: that of an import, and, until `imageLinks` resolves it, that in a tag that shows
   * the import.
   */
  readonly name?: string;
  /** The address is composed by the document's own commands, so only running them reveals where it leads. */
  readonly composed?: boolean;
  /**
   * Folders in which the document says its images are (`\graphicspath`, `:imagesdir:`). One may be the document's own,
   * ''.
   */
  readonly folders?: readonly string[];
  /** The cell of a notebook that has the link: its spans are those in the cell's text. */
  readonly cell?: number;
}

/** A link with the path from its address. */
export function imageLink(link: Omit<ImageLink, 'path'>): ImageLink {
  return { ...link, path: decodedPath(link.address.text, link) };
}

/** The link of an extracted text; `at` maps each offset to one in the complete document. */
export function moved(link: ImageLink, at: (offset: number) => number): ImageLink {
  const span = <T extends Span>(part: T): T => ({
    ...part,
    start: at(part.start),
    // The end follows the last character, wherever the next one is.
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

/** A link of a text that begins at `by` in the complete document. */
export function shifted(link: ImageLink, by: number): ImageLink {
  return by === 0 ? link : moved(link, (offset) => offset + by);
}
