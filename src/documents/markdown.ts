import { markupLinks } from './html';
import { imageLink, moved, type ImageLink } from './imageLink';
import { markdownBlocks, type Block } from './markdownBlocks';
import { InlineReader, type InlineImage } from './markdownInline';
import { targetAt, type MarkdownTarget } from './markdownTarget';
import { normalLabel, plainText } from './markdownText';
import { append } from './scan';
import { linksOf, scriptLinks } from './scriptLinks';
import type { Span, Written } from './span';
import { pixelsOf, tagLinks } from './tagLinks';

/**
 * A block as one text, with its lines freed of their containers' markers, and the document offset of each character.
 */
interface BlockText {
  readonly text: string;
  readonly at: (offset: number) => number;
}

/** The images of a Markdown document and its HTML; in MDX, also those of its components and imports. */
export function markdownLinks(text: string, syntax: 'markdown' | 'mdx'): ImageLink[] {
  const mdx = syntax === 'mdx';
  const links: ImageLink[] = [];
  const definitions = new Map<string, MarkdownTarget>();
  const paragraphs: (BlockText & { readonly from: number })[] = [];
  for (const block of markdownBlocks(text, mdx)) {
    const passage = passageOf(text, block);
    const here = (link: ImageLink) => moved(link, passage.at);
    if (block.kind === 'html') append(links, markupLinks(passage.text, 'html').map(here));
    else if (block.kind === 'script') append(links, scriptLinks(passage.text, 'jsx').map(here));
    else paragraphs.push({ ...passage, from: readDefinitions(passage, definitions) });
  }
  for (const paragraph of paragraphs) append(links, paragraphLinks(paragraph, definitions, syntax));
  return links;
}

function paragraphLinks(
  { text, at, from }: BlockText & { readonly from: number },
  definitions: ReadonlyMap<string, MarkdownTarget>,
  syntax: 'markdown' | 'mdx',
): ImageLink[] {
  const mdx = syntax === 'mdx';
  const { images, tags, script } = new InlineReader(text, definitions, mdx).read(from);
  const markup = [...tagLinks(text, tags, mdx ? 'jsx' : 'html'), ...linksOf(text, script, 'jsx', tags)];
  return [...images.map((image) => inlineLink(text, image, at, syntax)), ...markup.map((link) => moved(link, at))];
}

function inlineLink(
  text: string,
  { kind, element, alt, target, attributes = '' }: InlineImage,
  at: (offset: number) => number,
  syntax: 'markdown' | 'mdx',
): ImageLink {
  const words: Written = { ...alt, text: plainText(text.slice(alt.start, alt.end)) };
  const width = pixelsOf(/\bwidth="?([^\s"]+)/.exec(attributes)?.[1] ?? '');
  const height = pixelsOf(/\bheight="?([^\s"]+)/.exec(attributes)?.[1] ?? '');
  const link = moved(
    imageLink({
      kind,
      syntax,
      element,
      ...target,
      alt: words,
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
    }),
    at,
  );
  // A definition is elsewhere, and already has document offsets.
  return kind === 'inline' ? link : { ...link, ...target };
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
