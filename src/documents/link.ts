/**
 * **Link**: an image that a document names, and where its address stands in the text.
 *
 * Each family of languages has a file that finds them (`imageLinks.ts` chooses), `linkPath.ts` says to which file one
 * leads, as the site serves it, and `insertion.ts` writes one. Where that is in doubt, the link isn't called missing: a
 * list shows it apart, not selected. `features/links` reads, renders, and inserts them.
 */

import type { Edit, Span, Written } from './scan';
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
export function movedLink(link: ImageLink, at: (offset: number) => number): ImageLink {
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
  return by === 0 ? link : movedLink(link, (offset) => offset + by);
}

/**
 * The form of a link: an `inline` or `reference` image in Markdown, an `embed` in Obsidian's notes, a `tag`, the
 * `attribute` of a tag that shows more than this image (a video's poster, a card's icon), a `value` in a script's
 * expression, a `field` of front matter, an `import` or `require` in a script, a `url` in a style, a `command` in
 * LaTeX, a `directive` in reStructuredText, a `macro` in AsciiDoc, a `shortcode` of a site builder.
 */
export type LinkKind =
  | 'inline'
  | 'reference'
  | 'embed'
  | 'tag'
  | 'attribute'
  | 'value'
  | 'field'
  | 'import'
  | 'url'
  | 'command'
  | 'directive'
  | 'macro'
  | 'shortcode';

/** A place for a link to a result: at the cursor in a document of an open folder, after the selection. */
export interface LinkPlace {
  /** URI of the document. */
  readonly uri: string;
  /** The document's file name. */
  readonly name: string;
  /** The cursor's line, counted from 1. */
  readonly line: number;
  /** The cursor's offset in that line, in UTF-16 code units. */
  readonly character: number;
  /** The text of that line. A link is inserted only where the line still reads like this. */
  readonly text: string;
}

/** Edits of a document, with offsets into the version that was read. */
export interface ReadEdits<Document> {
  readonly document: Document;
  readonly version: number;
  readonly edits: readonly Edit[];
}

/** How often a document that keeps changing is read again. */
const mostReads = 5;

/**
 * Reads what to edit, and applies it in the same step that confirms nothing has changed since, so an offset from before
 * somebody typed is never used. Resolves with false if that wasn't possible or was rejected; nothing has changed then.
 * Rejects as `read` and `apply` do.
 */
export async function editAsRead<Document extends { readonly version: number }>(
  read: () => Promise<readonly ReadEdits<Document>[]>,
  apply: (read: readonly ReadEdits<Document>[]) => PromiseLike<boolean>,
): Promise<boolean> {
  for (let reads = 0; reads < mostReads; reads++) {
    const found = await read();
    if (found.every(({ document, version }) => document.version === version) && (await apply(found))) return true;
  }
  return false;
}

/** The facts that decide how an address is written: the language, and in a script whether it's an import. */
interface Notation {
  readonly kind: LinkKind;
  readonly syntax: Syntax;
}

const files: ReadonlySet<Syntax> = new Set(['latex', 'typst', 'restructuredtext']);

/**
 * LaTeX, Typst, reStructuredText, Obsidian's embeds, and script imports name files. Everything else holds URLs, with
 * percent-encoding and fragments.
 */
function namesFile({ kind, syntax }: Notation): boolean {
  return kind === 'import' || kind === 'embed' || files.has(syntax);
}

/** The path of an address, `/` between segments. Percent signs that encode nothing are kept. */
function decodedPath(address: string, notation: Notation): string {
  if (notation.kind === 'import') return address.replace(/\?.*$/s, '');
  if (namesFile(notation)) return address;
  const path = address.replace(/[?#].*$/s, '');
  // Encoded backslashes too: browsers and Windows read them as slashes, and so must any check of where a path leads.
  return percentDecoded(path).replaceAll('\\', '/');
}

/** Query and fragment: the part of an address after the path, '' if there is none. */
export function suffixOf(address: string, notation: Notation): string {
  if (notation.kind !== 'import' && namesFile(notation)) return '';
  return /[?#].*$/s.exec(address)?.[0] ?? '';
}

/**
 * A path as an address that works unquoted, in any quotes, in parentheses, and in a list of addresses. Letters of any
 * script stay readable.
 */
export function encodedPath(path: string): string {
  const encoded = path.replace(loneSurrogate, '\ufffd').replace(mustBeEncoded, encodeURIComponentWhole);
  // `a:b.png` would be an address with the scheme `a`.
  return /^[^/]*:/.test(encoded) ? `./${encoded}` : encoded;
}

const loneSurrogate = /\p{Surrogate}/gu;
const mustBeEncoded = /[\s\p{Cc}\p{Cf}"#%&'()*,<=>?[\\\]^`{|}]/gu;

/** `encodeURIComponent` leaves five characters that have a meaning in quotes, parentheses, or emphasis. */
function encodeURIComponentWhole(character: string): string {
  const encoded = encodeURIComponent(character);
  return encoded === character ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encoded;
}

function percentDecoded(text: string): string {
  if (!text.includes('%')) return text;
  // Decodes each run on its own, so that an invalid one spoils only itself.
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      // Not UTF-8: stays as written.
      return run;
    }
  });
}
