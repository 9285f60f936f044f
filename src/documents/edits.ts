import { attribute } from './html';
import * as latex from './latex';
import { encodedPath, type ImageLink, suffixOf } from './link';
import { type Edit, sliceOf, stringEncoded } from './scan';
import * as rst from './restructuredText';
import { Script } from './script';
import type { StatedSize } from './prompt';
import { readTag } from './tag';
import * as typst from './typst';

/** The edit that makes a link lead to another path, given as the document would name it. Query and fragment stay. */
export function repathed(link: ImageLink, path: string): Edit {
  const { start, end } = link.address;
  return { start, end, text: addressText(link, path) + suffixOf(link.address.text, link) };
}

function addressText(link: ImageLink, path: string): string {
  if (link.kind === 'import') return stringEncoded(/^(?:\.{0,2}\/|[@~]\/)/.test(path) ? path : `./${path}`);
  if (link.syntax === 'latex') return latex.escapedForLatexPath(path);
  if (link.syntax === 'typst') return typst.stringText(path);
  if (link.syntax === 'restructuredtext') return rst.escapedForRestructuredTextPath(path);
  // What ends an embed has no other form in it.
  if (link.kind === 'embed') return path.replace(/[[\]|#^]/g, encodeURIComponent);
  const encoded = encodedPath(path);
  // Keeps spaces unencoded where the language accepted them.
  return link.address.text.includes(' ') ? encoded.replace(/(?<!^)%20(?!$)/g, ' ') : encoded;
}

/**
 * The edit that adds a size in pixels to an image. Undefined if it already states one, in whatever unit, or if the
 * language has no syntax for it.
 */
export function withSize(text: string, link: ImageLink, { width, height }: StatedSize): Edit | undefined {
  if (link.kind === 'tag') return sizeOfTag(text, link, width, height);
  if (link.width !== undefined || link.height !== undefined) return undefined;
  if (link.kind === 'shortcode') return sizeOfShortcode(text, link, width, height);
  if (link.kind === 'directive') return sizeOfDirective(text, link, width, height);
  return link.kind === 'macro' ? sizeOfMacro(text, link, width, height) : undefined;
}

function sizeOfTag(text: string, { element, syntax }: ImageLink, width: number, height: number): Edit | undefined {
  const whole = sliceOf(text, element);
  const stated = readTag(
    whole,
    0,
    syntax === 'jsx' || syntax === 'svelte' || syntax === 'astro' ? { braces: new Script(whole).code } : {},
  );
  if (!stated || stated === 'unfinished') return undefined;
  if (['width', 'height', ':width', ':height'].some((name) => attribute(stated, name))) return undefined;
  const at = element.start + whole.slice(0, whole.endsWith('/>') ? -2 : -1).trimEnd().length;
  const added = syntax === 'jsx' ? ` width={${width}} height={${height}}` : ` width="${width}" height="${height}"`;
  return { start: at, end: at, text: added };
}

/** Only Hugo's take attributes by their names. */
function sizeOfShortcode(text: string, { element }: ImageLink, width: number, height: number): Edit | undefined {
  const [whole, inside = ''] = /^(\{\{[<%][^]*?)\s*\/?[>%]\}\}$/.exec(sliceOf(text, element)) ?? [];
  if (whole === undefined || !/\s[\w-]+=/.test(inside) || /\s(?:width|height)\s*=/.test(inside)) return undefined;
  const at = element.start + inside.length;
  return { start: at, end: at, text: ` width="${width}" height="${height}"` };
}

function sizeOfDirective(text: string, { element }: ImageLink, width: number, height: number): Edit | undefined {
  const whole = sliceOf(text, element);
  if (/^[^\S\r\n\u2028\u2029]*:?(?:width|height|scale):/m.test(whole)) return undefined;
  const [first = '', second = ''] = whole.split(/\r?\n/);
  const newline = whole.includes('\r\n') ? '\r\n' : '\n';
  const line = text.lastIndexOf('\n', element.start - 1) + 1;
  const isMyst = !whole.startsWith('..');
  // There, they may be YAML.
  if (isMyst && second.trim() === '---') return undefined;
  const indent = /^\s+/.exec(second)?.[0] ?? (isMyst ? '' : ' '.repeat(element.start - line + 3));
  const at = element.start + first.length;
  return { start: at, end: at, text: `${newline}${indent}:width: ${width}px${newline}${indent}:height: ${height}px` };
}

function sizeOfMacro(
  text: string,
  { element, address, alt }: ImageLink,
  width: number,
  height: number,
): Edit | undefined {
  const inside = text.slice(address.end + 1, element.end - 1);
  if (/(?:^|,)\s*(?:width|height|pdfwidth|scaledwidth)\s*=/.test(inside)) return undefined;
  if (alt || inside.trim() === '') {
    const at = element.end - 1;
    return { start: at, end: at, text: `${inside.trim() === '' ? '' : ','}width=${width},height=${height}` };
  }
  return undefined;
}

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
  size: StatedSize,
  isOf: (link: ImageLink) => boolean,
): Edit | undefined {
  const link = links.find(({ element }) => element.start === offset);
  return link && isOf(link) ? withSize(text, link, size) : undefined;
}
