import { entitiesDecoded } from './entities';
import type { Attribute } from './tag';

/** The offset after the next `what`; the end of the text if there is none. */
export function indexAfter(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found < 0 ? text.length : found + what.length;
}

/**
 * The offset after the quote that ends the string at `start`, in a script or style; at the latest, the end of the line.
 */
export function stringEnd(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === quote) return at + 1;
    else if (character === '\n') return at;
  }
  return text.length;
}

/** The offset after a sticky pattern's match at `at`; `at` if it doesn't match. */
export function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The lines of a text, without line ends. */
export function linesOf(text: string): Span[] {
  const lines: Span[] = [];
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline;
    lines.push({ start, end: next > start && text[next - 1] === '\r' ? next - 1 : next });
    start = next + 1;
  }
  return lines;
}

/** Appends any number of items. As arguments of `push`, a hundred thousand would overflow the stack. */
export function append<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one);
}

/** A text without the matching characters at its end, in one pass. A pattern with `$` would retry at each of them. */
export function withoutEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A part of a document from `start` up to but excluding `end`, in UTF-16 code units like an editor's `offsetAt`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value as written in a document, without quotes; `text` is its decoded value. */
export interface Written extends Span {
  readonly text: string;
}

/** A change to a document: `text` replaces the span. */
export interface Edit extends Span {
  readonly text: string;
}

/** The text in a span. */
export function sliceOf(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}

/** The value of an attribute that is a literal; undefined if a template or a script computes it. */
export function literal(text: string, { value, quote }: Attribute): Written | undefined {
  if (!value) return undefined;
  const raw = sliceOf(text, value);
  if (quote !== '{') return { ...value, text: entitiesDecoded(raw) };
  const [, before = '', mark = '', inner = ''] = /^(\s*)(['"`])(.*)\2\s*$/s.exec(raw) ?? [];
  if (mark === '' || !isOneString(inner, mark)) return undefined;
  const start = value.start + before.length + 1;
  return { start, end: start + inner.length, text: stringDecoded(inner) };
}

/** False for `'a' + 'b'`, which also begins and ends with a quote, and for a template with a value in it. */
function isOneString(inner: string, mark: string): boolean {
  const rest = inner.replace(/\\./gs, '');
  return !rest.includes(mark) && !(mark === '`' && rest.includes('${'));
}

/** The value of a JavaScript string, from the text between its quotes. */
export function stringDecoded(inner: string): string {
  if (!inner.includes('\\')) return inner;
  return inner.replace(/\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([\s\S]))/gi, (whole, ...groups) => {
    const [braced, four, two, character] = groups as (string | undefined)[];
    const code = braced ?? four ?? two;
    if (code !== undefined) return parseInt(code, 16) <= 0x10ffff ? String.fromCodePoint(parseInt(code, 16)) : whole;
    return escapes[character ?? ''] ?? character ?? '';
  });
}

const escapes: Readonly<Partial<Record<string, string>>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
};

/** A text as it's written between the quotes of a JavaScript string. */
export function stringEncoded(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/['`]|\$(?=\{)/g, '\\$&');
}

/** The lines of a text. Counts from 0. */
export class Lines {
  private readonly starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.starts = starts;
  }

  /** The line and the column of an offset. */
  placeOf(offset: number): { readonly line: number; readonly column: number } {
    let [line, after] = [0, this.starts.length];
    while (after - line > 1) {
      const middle = (line + after) >> 1;
      if ((this.starts[middle] ?? Infinity) <= offset) line = middle;
      else after = middle;
    }
    return { line, column: offset - (this.starts[line] ?? 0) };
  }
}
