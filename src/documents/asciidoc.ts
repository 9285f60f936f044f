import { imageLink, type ImageLink } from './link';
import { entitiesDecoded } from './entities';
import { append, linesOf, type Span, type Written } from './scan';
import { pixelsOf } from './html';

const fence = /^(?:(-{4,}|\.{4,}|\+{4,}|\/{4,})|(```)[\w,+ -]*)$/;
const listMarker = /^\s*(?:\*{1,5}|-|\.{1,5}|\d{1,9}\.|<\d{1,3}>)\s/;
/** Set, unset, or set in case it isn't. */
const imagesFolder = /^(ifndef::imagesdir\[)?:(!?)imagesdir(!?):(?:\s+(.*?))?\]?$/;
/** An inline macro, the block macro of a table's cell, or text that hides one. */
const inline = /\\image:|`[^`\n]*`|\+[^+\n]+\+|\bimage:(?!:)(?=[^\s:[])|(?<=\|[ \t]{0,8})image::(?=[^\s:[])/g;
const blockMacro = /^image::(?=\S)/;
const target = /([^[\n]*[^\s[\n])\[/y;

/** The images of an AsciiDoc document, from block and inline macros. */
export function asciidocLinks(text: string): ImageLink[] {
  const links: ImageLink[] = [];
  let closing: string | undefined;
  let literal = false;
  let blank = true;
  let title: Written | undefined;
  let folder: string | undefined;
  for (const line of linesOf(text)) {
    const content = text.slice(line.start, line.end).trimEnd();
    const wasBlank = blank;
    blank = content === '';
    if (closing !== undefined) {
      if (content === closing) closing = undefined;
      continue;
    }
    const [fenced, fourOf, ticks] = fence.exec(content) ?? [];
    if (fenced !== undefined) {
      closing = fourOf ?? ticks;
      continue;
    }
    // A paragraph that begins with a space is literal.
    if (wasBlank) literal = /^\s/.test(content) && !listMarker.test(content);
    const directory = imagesFolder.exec(content);
    if (directory) folder = folderBy(directory, folder);
    if (literal || content.startsWith('//')) continue;
    const words = title;
    title = /^\.[^\s.]/.test(content)
      ? written(text, { start: line.start + 1, end: line.start + content.length })
      : blockTitle(content, title);
    if (content.includes('image:')) append(links, lineLinks(text, line.start, content, words, folder));
  }
  return links;
}

function folderBy(
  [, isUnset, before, after, stated = '']: RegExpExecArray,
  folder: string | undefined,
): string | undefined {
  if (before === '!' || after === '!') return undefined;
  return isUnset !== undefined ? (folder ?? stated) : stated;
}

/** A title still applies when attribute lines separate it from its block. */
function blockTitle(content: string, title: Written | undefined): Written | undefined {
  return /^\[.*\]$/.test(content) ? title : undefined;
}

function lineLinks(
  text: string,
  start: number,
  content: string,
  title: Written | undefined,
  folder: string | undefined,
): ImageLink[] {
  if (blockMacro.test(content)) {
    const link = macroLink(text, start, start + 'image::'.length, start + content.length, folder);
    return link ? [title ? { title, ...link } : link] : [];
  }
  const links: ImageLink[] = [];
  inline.lastIndex = 0;
  for (let found = inline.exec(content); found; found = inline.exec(content)) {
    if (!found[0].startsWith('image:')) continue;
    const from = start + found.index;
    const link = macroLink(text, from, from + found[0].length, start + content.length, folder);
    if (!link) break;
    links.push(link);
    inline.lastIndex = link.element.end - start;
  }
  return links;
}

/** The macro whose target begins at `from`; undefined if its brackets don't close on the line. */
function macroLink(
  text: string,
  start: number,
  from: number,
  lineEnd: number,
  folder: string | undefined,
): ImageLink | undefined {
  target.lastIndex = from;
  const path = target.exec(text)?.[1];
  if (path === undefined) return undefined;
  const open = from + path.length + 1;
  const close = closingOf(text, open, lineEnd);
  if (close === undefined) return undefined;
  const { positional, named } = attributesOf(text, { start: open, end: close });
  const alt = named.get('alt') ?? positional[0];
  const title = named.get('title');
  const width = pixelsOf((named.get('width') ?? positional[1])?.text ?? '');
  const height = pixelsOf((named.get('height') ?? positional[2])?.text ?? '');
  return imageLink({
    kind: 'macro',
    syntax: 'asciidoc',
    element: { start, end: close + 1 },
    address: { start: from, end: from + path.length, text: path },
    ...(alt && alt.text !== '' && { alt }),
    ...(title && { title }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(folder !== undefined && { folders: [folder] }),
  });
}

function closingOf(text: string, from: number, limit: number): number | undefined {
  for (let at = from; at < limit; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === ']') return at;
  }
  return undefined;
}

interface Attributes {
  readonly positional: readonly Written[];
  readonly named: ReadonlyMap<string, Written>;
}

const one = /\s*(?:([\w-]+)\s*=\s*)?(?:"((?:[^"\\]|\\.)*)"\s*(?=,|$)|([^,]*))(,|$)/y;

function attributesOf(text: string, { start, end }: Span): Attributes {
  const list = text.slice(start, end);
  const positional: Written[] = [];
  const named = new Map<string, Written>();
  for (let at = 0; at <= list.length;) {
    one.lastIndex = at;
    const found = one.exec(list);
    if (!found) break;
    const [whole, name, quoted, plain = '', comma = ''] = found;
    const after = start + at + whole.length - comma.length;
    const value =
      quoted === undefined
        ? written(text, { start: after - plain.length, end: after })
        : written(text, quotedSpan(text, start + at, after, quoted.length));
    if (name === undefined) positional.push(value);
    else named.set(name, value);
    at += whole.length;
    if (comma === '') break;
  }
  return { positional, named };
}

function quotedSpan(text: string, from: number, end: number, length: number): Span {
  const start = text.lastIndexOf('"', end - 1) - length;
  return { start: Math.max(from, start), end: Math.max(from, start) + length };
}

function written(text: string, { start, end }: Span): Written {
  return { start, end, text: plainText(text.slice(start, end)) };
}

/** The text as displayed, on one line. */
function plainText(text: string): string {
  return entitiesDecoded(text.replace(/\\(["\]\\])/g, '$1'))
    .replace(/\s+/g, ' ')
    .trim();
}

/** A text as the first, quoted value of a macro. */
export function quotedText(text: string): string {
  return `"${text.replace(/[&*_`#+~^{}<>\[\]\\]/g, (sign) => `&#${sign.charCodeAt(0)};`).replaceAll('"', '\\"')}"`;
}
