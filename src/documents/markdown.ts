import { entityDecoded, entityPattern } from './entities';
import { frontMatterEnd, frontMatterLinks } from './frontMatter';
import { markupLinks, pixelsOf, saidBy, tagLinks } from './html';
import { imageLink, type ImageLink, movedLink } from './link';
import { type Block, markdownBlocks } from './markdownBlocks';
import { type InlineImage, InlineReader } from './markdownInline';
import { mystLink } from './restructuredText';
import { append, type Span, type Written } from './scan';
import { linksOf, scriptLinks } from './script';

/**
 * A block as one text, with its lines freed of their containers' markers, and the document offset of each character.
 */
interface BlockText {
  readonly text: string;
  readonly at: (offset: number) => number;
}

/** How a document's paragraphs are read. */
interface Dialect {
  readonly syntax: 'markdown' | 'mdx';
  /** It's a slide deck of Marp. */
  readonly isMarp: boolean;
}

/** What remains of a description without the size in it. */
interface SizedWords {
  readonly text: string;
  readonly width?: number;
  readonly height?: number;
}

/** A part of every image, tag, shortcode, expression, and definition in a paragraph. */
const concernsImages = /!\[|[<{]|\]:/;

/** The images of a Markdown document and its HTML; in MDX, also those of its components and imports. */
export function markdownLinks(text: string, syntax: 'markdown' | 'mdx'): ImageLink[] {
  const mdx = syntax === 'mdx';
  const front = frontMatterEnd(text);
  const isMarp = /^marp:[ \t]*true[ \t]*\r?$/m.test(text.slice(0, front));
  const links = frontMatterLinks(text, front);
  const definitions = new Map<string, MarkdownTarget>();
  const paragraphs: (BlockText & { readonly from: number })[] = [];
  for (const block of markdownBlocks(text, mdx)) {
    if (block.kind === 'directive') {
      const link = mystLink(text, block.lines);
      if (link) links.push(link);
      continue;
    }
    // Most paragraphs need no reading.
    if (block.kind === 'text' && !concernsImages.test(text.slice(block.lines[0]?.start, block.lines.at(-1)?.end)))
      continue;
    const passage = passageOf(text, block);
    const here = (link: ImageLink) => movedLink(link, passage.at);
    if (block.kind === 'html') append(links, markupLinks(passage.text, 'html').map(here));
    else if (block.kind === 'script') append(links, scriptLinks(passage.text, 'jsx').map(here));
    else paragraphs.push({ ...passage, from: readDefinitions(passage, definitions) });
  }
  for (const paragraph of paragraphs) append(links, paragraphLinks(paragraph, definitions, { syntax, isMarp }));
  return links;
}

function paragraphLinks(
  { text, at, from }: BlockText & { readonly from: number },
  definitions: ReadonlyMap<string, MarkdownTarget>,
  dialect: Dialect,
): ImageLink[] {
  const mdx = dialect.syntax === 'mdx';
  const { images, shortcodes, tags, script } = new InlineReader(text, definitions, mdx).read(from);
  const markup = [...shortcodes, ...tagLinks(text, tags, mdx ? 'jsx' : 'html'), ...linksOf(text, script, 'jsx', tags)];
  return [...images.map((image) => inlineLink(text, image, at, dialect)), ...markup.map((link) => movedLink(link, at))];
}

function inlineLink(
  text: string,
  { kind, element, alt, target, attributes }: InlineImage,
  at: (offset: number) => number,
  { syntax, isMarp }: Dialect,
): ImageLink {
  const { address, title, width, height } = target;
  const words = text.slice(alt.start, alt.end);
  const { text: caption, ...size } = isMarp ? marpWords(words) : sizedWords(words);
  // Quarto shows the text in brackets below the image, which may have a description besides.
  const { alt: description, ...stated } = saidBy(text, { attributes }, ['fig-alt', 'alt']);
  const shown: Written = { ...alt, text: caption };
  const link = movedLink(
    imageLink({
      kind,
      syntax,
      element,
      address,
      ...(title && { title }),
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      ...size,
      ...(description ? { alt: description, title: title ?? shown } : { alt: shown }),
      ...stated,
    }),
    at,
  );
  // A definition is elsewhere, and already has document offsets.
  return kind !== 'reference' ? link : { ...link, address, ...(title && { title }) };
}

/** In Obsidian, a description may end with a size: `![A fox|300x200](fox.png)`. */
function sizedWords(written: string): SizedWords {
  const [, words = written, width, height] = /^([^|]*[^|\\]|)\|(\d{1,6})(?:x(\d{1,6}))?$/.exec(written) ?? [];
  return {
    text: plainText(words),
    ...(Number(width) > 0 && { width: Number(width) }),
    ...(Number(height) > 0 && { height: Number(height) }),
  };
}

const marpSize = /^(w|h|width|height):(\S+)$/;
const marpFilter =
  /^(?:blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia)(?::\S+)?$/;
const marpBackground = /^(?:bg|auto|contain|cover|fit|vertical|\d+(?:\.\d+)?%|(?:left|right)(?::\d+(?:\.\d+)?%)?)$/;

/** Marp reads some words of a description as instructions. */
function marpWords(written: string): SizedWords {
  const all = plainText(written).split(' ');
  const isBackground = all.includes('bg');
  const sides = all.flatMap((word) => {
    const [, side = '', size = ''] = marpSize.exec(word) ?? [];
    const pixels = pixelsOf(size);
    return pixels === undefined ? [] : [[side.startsWith('w') ? 'width' : 'height', pixels] as const];
  });
  const isRead = (word: string) =>
    marpSize.test(word) || marpFilter.test(word) || (isBackground && marpBackground.test(word));
  return { text: all.filter((word) => !isRead(word)).join(' '), ...Object.fromEntries(sides) };
}

const definitionStart = /\s{0,3}\[((?:[^[\]\\]|\\.){1,999})\]:\s*/sy;

/** Reads the definitions at the start of a paragraph, where the first for a label wins. Returns where they end. */
function readDefinitions({ text, at }: BlockText, definitions: Map<string, MarkdownTarget>): number {
  for (let from = 0; ;) {
    definitionStart.lastIndex = from;
    const name = definitionStart.exec(text)?.[1];
    if (name === undefined) return from;
    const target = targetAt(text, definitionStart.lastIndex);
    const isWhole =
      target &&
      target.address.end > target.address.start &&
      /^[ \t]*(?:\n|$)/.test(text.slice(target.end, target.end + 80));
    if (!isWhole) return from;
    const span = <T extends Span>(part: T): T => ({ ...part, start: at(part.start), end: at(part.end - 1) + 1 });
    const placed = { address: span(target.address), ...(target.title && { title: span(target.title) }) };
    const key = normalLabel(name);
    if (!definitions.has(key)) definitions.set(key, placed);
    const newline = text.indexOf('\n', target.end);
    if (newline < 0) return text.length;
    from = newline + 1;
  }
}

function passageOf(text: string, { lines }: Block): BlockText {
  const [only] = lines;
  if (only && lines.length === 1)
    return { text: text.slice(only.start, only.end), at: (offset) => only.start + offset };
  const starts: number[] = [];
  let length = 0;
  for (const { start, end } of lines) {
    starts.push(length);
    length += end - start + 1;
  }
  return {
    text: lines.map(({ start, end }) => text.slice(start, end)).join('\n'),
    at: (offset) => {
      const index = lastAtMost(starts, offset);
      return (lines[index]?.start ?? 0) + offset - (starts[index] ?? 0);
    },
  };
}

/** The index of the last number within the limit, in an ascending list that starts with 0. */
function lastAtMost(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((ascending[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The address and title of a Markdown image, and the size in pixels that some renderers read after them. */
export interface MarkdownTarget {
  readonly address: Written;
  readonly title?: Written;
  readonly width?: number;
  readonly height?: number;
}

const gap = /\s*/y;
const quotedTarget = /<((?:[^\n<>\\]|\\.)*)>/y;
/** The nesting of parentheses that CommonMark requires. */
const deepest = 32;

/** The target in parentheses whose `(` is at an offset, with the offset after its `)`. */
export function inlineTarget(text: string, open: number): (MarkdownTarget & { readonly end: number }) | undefined {
  if (text[open] !== '(') return undefined;
  const target = targetAt(text, afterGap(text, open + 1));
  if (!target) return undefined;
  const size = sizeAt(text, target.end);
  // A title may come after the size, too.
  const { title } = size && !target.title ? titleAfter(text, size.end) : target;
  const last = title ? title.end + 1 : (size?.end ?? target.end);
  const end = afterGap(text, Math.max(last, size?.end ?? 0));
  return text[end] === ')' ? { ...target, ...size, title, end: end + 1 } : undefined;
}

const statedSize = /[ \t]+=(?:(\d{1,6})|\d{0,3}%)?x(?:(\d{1,6})|\d{0,3}%)?(?=[\s)])/y;

/** As in `![](a.png =300x200)`. */
function sizeAt(
  text: string,
  at: number,
): (Pick<MarkdownTarget, 'width' | 'height'> & { readonly end: number }) | undefined {
  statedSize.lastIndex = at;
  const found = statedSize.exec(text);
  if (!found) return undefined;
  const [width, height] = [Number(found[1] ?? 0), Number(found[2] ?? 0)];
  return { ...(width > 0 && { width }), ...(height > 0 && { height }), end: statedSize.lastIndex };
}

/** An address with an optional title; `end` is where reading stopped. */
function targetAt(text: string, start: number): (MarkdownTarget & { readonly end: number }) | undefined {
  const address = addressAt(text, start);
  if (!address) return undefined;
  const { title } = titleAfter(text, address.end);
  return {
    address: written(text, address.value),
    ...(title && { title }),
    end: title ? title.end + 1 : address.end,
  };
}

function titleAfter(text: string, at: number): { readonly title?: Written } {
  const start = afterGap(text, at);
  const title = start > at ? titleAt(text, start) : undefined;
  return title ? { title: written(text, title) } : {};
}

/** The title whose opening quote is at an offset, without its quotes. */
export function titleAt(text: string, start: number): Span | undefined {
  const quote = text[start];
  if (quote !== '"' && quote !== "'" && quote !== '(') return undefined;
  const close = quote === '(' ? ')' : quote;
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === close) return { start: start + 1, end: at };
    else if (character === '(' && quote === '(') return undefined;
  }
  return undefined;
}

function addressAt(text: string, start: number): { readonly value: Span; readonly end: number } | undefined {
  if (text[start] === '<') {
    quotedTarget.lastIndex = start;
    const value = quotedTarget.exec(text)?.[1];
    if (value === undefined) return undefined;
    return { value: { start: start + 1, end: start + 1 + value.length }, end: start + value.length + 2 };
  }
  let depth = 0;
  let at = start;
  for (; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character <= ' ' || (character === ')' && depth === 0)) break;
    if (character === '\\' && /[!-/:-@[-`{-~]/.test(text.charAt(at + 1))) at += 1;
    else if (character === '(' && ++depth > deepest) return undefined;
    else if (character === ')') depth -= 1;
  }
  at = Math.min(at, text.length);
  return depth === 0 ? { value: { start, end: at }, end: at } : undefined;
}

function written(text: string, { start, end }: Span): Written {
  return { start, end, text: unescaped(text.slice(start, end)) };
}

function afterGap(text: string, at: number): number {
  gap.lastIndex = at;
  gap.test(text);
  return gap.lastIndex;
}

const escape = /\\([!-/:-@[-`{-~])/;
const escapes = new RegExp(`${escape.source}|${entityPattern.source}`, 'gi');

/** Markdown text with backslashes and entities decoded. */
function unescaped(text: string): string {
  return text.replace(escapes, (whole, escaped?: string) => escaped ?? entityDecoded(whole));
}

const markup = new RegExp(
  [
    escapes.source,
    // A link inside a text: keeps its words.
    String.raw`!?\[(?<said>[^[\]\\]*)\]\([^()]*\)`,
    // Code spans, emphasis, and strikethrough. Matches a run of underscores only from its beginning, so that a long one
    // takes linear time.
    '(?<mark>`+|~~+|\\*+(?=\\S)|(?<=\\S)\\*+|(?<!\\w)_+|(?<=[a-z0-9]|\\\\_)_+(?!\\w))',
  ].join('|'),
  'gi',
);

/** Markdown text as displayed, on one line. */
function plainText(text: string): string {
  return text
    .replace(markup, (whole, ...rest) => {
      const groups = rest.at(-1) as { readonly said?: string; readonly mark?: string };
      if (groups.mark !== undefined) return '';
      return groups.said ?? (rest[0] as string | undefined) ?? entityDecoded(whole);
    })
    .replace(/\s+/g, ' ')
    .trim();
}

/** Text that Markdown displays literally, inside brackets. */
export function escapedForMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>&~!{}$|^]/g, '\\$&');
}

/** A Markdown title, with its quotes. */
export function quotedTitle(text: string): string {
  return `"${text.replace(/[\\"&<>{}`*_[\]]/g, '\\$&')}"`;
}

/** A label in the form that references are compared in, ignoring case and white space. */
export function normalLabel(label: string): string {
  return label.replace(/\s+/g, ' ').trim().toLowerCase().toUpperCase();
}
