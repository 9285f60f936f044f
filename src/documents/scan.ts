import type { Span } from './span';

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
