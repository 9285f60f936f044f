import type { ImageLink, LinkKind } from './link';
import { type Edit, sliceOf, type Span } from './scan';

/** How much of a document on each side of a link is examined, in characters. */
const near = 500;

/** The text on both sides of a span, up to a limit. */
interface Around {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

/**
 * The edit that removes a link and nothing else: with its line if alone there, in a style with its declaration or its
 * list item. Undefined wherever it would take something along, or leave a part behind that isn't valid there.
 */
export function removal(text: string, link: ImageLink): Edit | undefined {
  const span = spans[link.kind](link.element, aroundOf(text, link.element), link, text);
  if (!span) return undefined;
  const alone = lineOf(text, span);
  if (!alone) return link.kind === 'attribute' ? { ...withGap(text, span), text: '' } : { ...span, text: '' };
  return { ...wholeLines(text, alone), text: '' };
}

type SpanOf = (element: Span, around: Around, link: ImageLink, text: string) => Span | undefined;

/** The text that is removed for each kind of link. */
const spans: Readonly<Record<LinkKind, SpanOf>> = {
  inline: (element, around) => (isWhole(around) ? element : undefined),
  reference: (element, around) => (isWhole(around) ? element : undefined),
  embed: (element, around) => (isWhole(around) ? element : undefined),
  tag: (element, around, link, text) => (isTagAlone(around, link, text) ? element : undefined),
  attribute: (element) => element,
  // The expression needs a value.
  value: () => undefined,
  field: (element, around) => (isOwnLine(around) ? element : undefined),
  import: (element, { text: statement }, _, text) => (isUnused(text, statement) ? element : undefined),
  url: (element, around) => layerOf(element, around),
  // In Typst's code, the image is an argument.
  command: (element, { text }) => (/^[\\#]/.test(text) ? element : undefined),
  directive: (element, around) => (hasOwnWords(around) ? undefined : element),
  shortcode: (element, { text: shortcode }, _, text) => (isPaired(text, shortcode) ? undefined : element),
  macro: (element, { before }) => (/(?:^|\n)(?:\.[^\s.]|\[).*\n$/.test(before) ? undefined : element),
};

/**
 * False for a Markdown image that a link shows, that has attributes after it, or that the line below makes a heading.
 */
function isWhole({ before, after }: Around): boolean {
  return !/\[\s*$/.test(before) && !/^(?:\s*\]|\{|[ \t]*\r?\n[ \t]*(?:=+|-+)[ \t]*(?:\r?\n|$))/.test(after);
}

/** Whether the field is at the top level: a list or map around it may need it. */
function isOwnLine({ before, after }: Around): boolean {
  return /(?:^|\n)$/.test(before) && /^[ \t]*(?:\r?\n|$)/.test(after);
}

/** Whether the tag shows an image, has no content, and can be omitted. */
function isTagAlone({ before, text: tag, after }: Around, { syntax, element }: ImageLink, text: string): boolean {
  if (!tag.endsWith('/>') && !/^<(?:img|source|input)\b/i.test(tag)) return false;
  if (/\ssrcset\s*=/i.test(tag) && (/\ssrc\s*=/i.test(tag) || /\ssrcset\s*=[^=]*,/i.test(tag))) return false;
  if (/\sv-(?:if|else)\b/.test(tag)) return false;
  // A `picture` needs its image.
  const above = text.slice(0, element.start).toLowerCase();
  if (/^<img\b/i.test(tag) && above.lastIndexOf('<picture') > above.lastIndexOf('</picture')) return false;
  // In a script, it may be a value; between two tags it isn't.
  return syntax !== 'jsx' || (/(?:^|[^=])>\s*$/.test(before) && /^\s*</.test(after));
}

/** Whether the text closes a shortcode of this name somewhere. */
function isPaired(text: string, shortcode: string): boolean {
  const name = /^\{[{%][<%]?-?\s*([\w./-]+)/.exec(shortcode)?.[1];
  return name !== undefined && [`/${name}`, `/ ${name}`, `end${name}`].some((end) => text.includes(end));
}

/** Whether the text uses the imported name nowhere else. */
function isUnused(text: string, statement: string): boolean {
  const [isImport, name] = /^import\s+(?:([\w$]+)\s+from\s*)?["']/.exec(statement) ?? [];
  if (isImport === undefined) return false;
  if (name === undefined) return true;
  const others = text.replace(statement, () => '').match(/[\w$]+/g);
  return !others?.includes(name);
}

/** Whether the directive has a caption or a name, which would be lost or left behind. */
function hasOwnWords({ before, text, after }: Around): boolean {
  if (/\.\.[ \t]+\|[^\n]*$/.test(before) || /^\.\.[ \t]+\|/.test(text)) return true;
  const [, ...lines] = text.split(/\r?\n/);
  const column = /[^\n]*$/.exec(before)?.[0].length ?? 0;
  const below = /^\s*?\n((?:[ \t]*\r?\n)*)([ \t]*)\S/.exec(after)?.[2]?.length ?? 0;
  return (
    below > column ||
    lines.some((line) => line.trim() !== '' && !/^\s*:[\w-]+:|^\s{4,}|^\s*(?:`{3,}|~{3,}|:{3,})\s*$/.test(line))
  );
}

/** The declaration or list item with nothing but the image; in `background`, the image among other words. */
function layerOf(element: Span, { before, after }: Around): Span | undefined {
  const inTag = /\sstyle\s*=\s*(["'])[^"'<>]*$/.exec(before)?.[1];
  const behind = inTag === undefined ? after : (after.split(inTag, 1)[0] ?? '');
  const stated = /(?:^|[;{\s"'/])([a-z-]+\s*:\s*)((?:[^;{}:]|:(?=\/\/))*)$/i.exec(before);
  const rest = /^([^;{}]*)(;|\}|$)/.exec(behind);
  if (!stated || !rest) return undefined;
  const [, property = '', first = ''] = stated;
  const [, last = '', end = ''] = rest;
  if (first === '' && last.trim() === '') {
    const closed = end === ';' ? last.length + 1 : 0;
    return { start: element.start - property.length, end: element.end + closed };
  }
  const comma = commaOf(first, last);
  if (comma) return { start: element.start - comma.before, end: element.end + comma.after };
  const isAmongWords = /^background\s*:/i.test(property) && /^[^()"',/]*$/.test(first + last) && !last.includes('!');
  return isAmongWords && (first + last).trim() !== '' ? element : undefined;
}

/** How much to remove on each side of a lone list item, including one comma. */
function commaOf(first: string, last: string): { readonly before: number; readonly after: number } | undefined {
  if (isOpen(first)) return undefined;
  const [comma] = /^\s*,\s*/.exec(last) ?? [];
  if (first === '' || /,\s*$/.test(first)) if (comma !== undefined) return { before: 0, after: comma.length };
  const lead = /\s*,\s*$/.exec(first)?.[0];
  return lead !== undefined && last.trim() === '' ? { before: lead.length, after: 0 } : undefined;
}

/** Whether it ends inside parentheses, as in an image set. */
function isOpen(value: string): boolean {
  return value.split('(').length > value.split(')').length;
}

function aroundOf(text: string, element: Span): Around {
  const { start, end } = element;
  return {
    before: text.slice(Math.max(0, start - near), start),
    text: sliceOf(text, element),
    after: text.slice(end, end + near),
  };
}

/** The lines of a span that nothing else is on. */
function lineOf(text: string, { start, end }: Span): Span | undefined {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', end);
  const isAlone =
    isBlank(text.slice(lineStart, start)) && isBlank(text.slice(end, newline < 0 ? text.length : newline));
  return isAlone ? { start: lineStart, end: newline < 0 ? text.length : newline + 1 } : undefined;
}

/** Between two blank lines, removes one of them too. */
function wholeLines(text: string, { start, end }: Span): Span {
  const before = text.slice(text.lastIndexOf('\n', start - 2) + 1, start);
  const nextLine = text.indexOf('\n', end);
  const following = nextLine < 0 ? text.slice(end) : text.slice(end, nextLine);
  const isBetween = isBlank(before) && isBlank(following) && nextLine >= 0;
  return { start, end: isBetween ? nextLine + 1 : end };
}

function withGap(text: string, { start, end }: Span): Span {
  return { start: /\s/.test(text.charAt(start - 1)) ? start - 1 : start, end };
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}
