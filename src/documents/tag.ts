import { after, type Span } from './scan';

export interface Attribute extends Span {
  readonly name: string;
  /** The value without its quotes or braces. */
  readonly value?: Span;
  /** The quotes around the value. */
  readonly quote: '"' | "'" | '`' | '{' | '';
}

/** A tag in HTML, JSX, Vue, or Svelte, from `<` to `>`. */
export interface Tag extends Span, Attributed {
  readonly name: string;
  readonly closing: boolean;
  readonly selfClosing: boolean;
}

/** What has attributes: a tag, or the part of another language that is written like one. */
export interface Attributed {
  readonly attributes: readonly Attribute[];
}

/**
 * Reads the contents of braces. Takes the offset after `{`; returns the offset after the matching `}`, or the end of
 * the text.
 */
export type ReadBraces = (inside: number) => number;

/** How a language reads tags. */
export interface TagDialect {
  /** For languages with values in braces. */
  readonly braces?: ReadBraces;
  /** A stray quote invalidates the tag, as in Markdown; browsers read on. */
  readonly strict?: boolean;
}

const opening = /<(\/?)([A-Za-z][\w.:-]*)(?=[\s/>{])/y;
const between = /[\s/]*/y;
const attributeName = /[^\s"'<>/={}]+|[{}]/y;
const equals = /\s*=\s*/y;
/** The slash of `<img src=a.png/>` belongs to the tag, for everyone but the HTML standard. */
const unquoted = /(?:[^\s"'<>`/]|\/(?!>))+/y;

/**
 * The tag whose `<` is at an offset; undefined if there is none, `unfinished` if the text ends inside it. An unfinished
 * tag hides the rest of the text, as in a browser. Don't try again after it, or the time grows quadratically.
 */
export function readTag(
  text: string,
  start: number,
  { braces, strict }: TagDialect = {},
): Tag | 'unfinished' | undefined {
  opening.lastIndex = start;
  const [, slash, name = ''] = opening.exec(text) ?? [];
  if (slash === undefined) return undefined;
  const attributes: Attribute[] = [];
  for (let at = opening.lastIndex; ;) {
    at = after(between, text, at);
    if (at >= text.length) return 'unfinished';
    const character = text[at];
    if (character === '>') {
      return { start, end: at + 1, name, closing: slash === '/', selfClosing: text[at - 1] === '/', attributes };
    }
    if (character === '{' && braces) {
      at = braces(at + 1);
      continue;
    }
    if (character === '"' || character === "'") {
      if (strict) return undefined;
      at = quoteEnd(text, at);
      continue;
    }
    const attribute = readAttribute(text, at, braces);
    if (!attribute) {
      if (character !== '=' || strict) return undefined;
      at += 1;
      continue;
    }
    attributes.push(attribute);
    at = attribute.end;
  }
}

function readAttribute(text: string, start: number, braces: ReadBraces | undefined): Attribute | undefined {
  const nameEnd = after(attributeName, text, start);
  if (nameEnd === start) return undefined;
  const name = text.slice(start, nameEnd);
  equals.lastIndex = nameEnd;
  if (!equals.test(text)) return { name, start, end: nameEnd, quote: '' };
  const at = equals.lastIndex;
  const quote = text[at];
  if (quote === '"' || quote === "'") {
    const end = quoteEnd(text, at);
    return { name, start, end, value: { start: at + 1, end: Math.max(at + 1, end - 1) }, quote };
  }
  if (quote === '{' && braces) {
    const end = braces(at + 1);
    return { name, start, end, value: { start: at + 1, end: Math.max(at + 1, end - 1) }, quote };
  }
  const end = after(unquoted, text, at);
  return { name, start, end, value: { start: at, end }, quote: '' };
}

const item = /[\s,]*(?:([\w:@.#-]+)\s*=\s*)?(?:(["'`])((?:(?!\2)[^\\]|\\[\s\S])*)\2|([^\s"'`,{}=]+))/y;

/**
 * The attributes in a span with nothing but these, as in `{.wide width=300}` or `{{< figure src="a.png" >}}`. A value
 * without a name has the name ''. Ends where a template computes a value.
 */
export function attributesIn(text: string, { start, end }: Span): readonly Attribute[] {
  const inside = text.slice(start, end);
  const attributes: Attribute[] = [];
  item.lastIndex = 0;
  for (let found = item.exec(inside); found; found = item.exec(inside)) {
    const [, name = '', quote = '', quoted, bare = ''] = found;
    const to = start + item.lastIndex - quote.length;
    const from = to - (quoted ?? bare).length;
    const begin = start + found.index + (/^[\s,]*/.exec(found[0])?.[0].length ?? 0);
    attributes.push({
      name,
      start: begin,
      end: start + item.lastIndex,
      value: { start: from, end: to },
      quote: quote as Attribute['quote'],
    });
  }
  return attributes;
}

/** The offset after the quote that ends a value; the end of the text if none does. */
function quoteEnd(text: string, start: number): number {
  const end = text.indexOf(text.charAt(start), start + 1);
  return end < 0 ? text.length : end + 1;
}
