/** The offset after the next `what`; the end of the text when there is none. */
export function indexAfter(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found < 0 ? text.length : found + what.length;
}

/**
 * The offset after the quote that ends the string beginning at `start`, as scripts and styles have them: it ends with
 * its line at the latest.
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

/** The offset after what a sticky pattern matches at `at`; `at` itself when it does not. */
export function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The lines of a text, without what ends them. */
export function* linesOf(text: string): Generator<{ readonly start: number; readonly end: number }> {
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline;
    yield { start, end: next > start && text[next - 1] === '\r' ? next - 1 : next };
    start = next + 1;
  }
}

/** Adds any number to a list; as arguments of `push`, a hundred thousand would be more than the stack holds. */
export function append<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one);
}

/**
 * A text without those characters at its end that match; in one pass, where a pattern with `$` would begin anew at each
 * of them.
 */
export function withoutEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
