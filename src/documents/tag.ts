import { after } from './scan';
import type { Span } from './span';

export interface Attribute extends Span {
  readonly name: string;
  /** The value without its quotes or braces. */
  readonly value?: Span;
  /** The quotes around the value. */
  readonly quote: '"' | "'" | '{' | '';
}

/** A tag of HTML, JSX, Vue or Svelte, from `<` to `>`. */
export interface Tag extends Span {
  readonly name: string;
  readonly closing: boolean;
  readonly selfClosing: boolean;
  readonly attributes: readonly Attribute[];
}

/**
 * Reads the contents of braces: given the offset after `{`, the offset after the `}` that closes it, or the end of the
 * text.
 */
export type ReadBraces = (inside: number) => number;

/** How tags are read in their place. */
export interface TagDialect {
  /** For languages that have values in braces. */
  readonly braces?: ReadBraces;
  /** A stray quote makes it no tag, as in Markdown; browsers read on. */
  readonly strict?: boolean;
}

const opening = /<(\/?)([A-Za-z][\w.:-]*)(?=[\s/>{])/y;
const between = /[\s/]*/y;
const attributeName = /[^\s"'<>/={}]+|[{}]/y;
const equals = /\s*=\s*/y;
/** The slash of `<img src=a.png/>` belongs to the tag, to everyone but the letter of the standard. */
const unquoted = /(?:[^\s"'<>`/]|\/(?!>))+/y;

/**
 * The tag whose `<` is at an offset; undefined when there is none, `unfinished` when the text ends inside it. What it
 * finds unfinished hides the rest of the text, as it does for a browser: whoever reads on behind it must not ask again,
 * or the time grows with the square.
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

/** The offset after the quote that ends a value; the end of the text when none does. */
function quoteEnd(text: string, start: number): number {
  const end = text.indexOf(text.charAt(start), start + 1);
  return end < 0 ? text.length : end + 1;
}
