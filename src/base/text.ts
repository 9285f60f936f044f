import { knownLocale } from './time';
import { oneLine, visible } from './plain';

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

/** The same lines, whatever their line breaks, without anything hidden. */
export function manyLines(text: string): string[] {
  return text.split(/\r\n|[\n-\r\u0085\u2028\u2029]/).map((line) => visible(line.replaceAll('\t', '    ')).trimEnd());
}

/** As `oneLine`, but cut between two words where one ends in its second half. */
export function firstWords(text: string, length: number): string {
  const line = oneLine(text, length);
  const end = line.endsWith('…') ? line.lastIndexOf(' ') : -1;
  return end > length / 2 ? `${line.slice(0, end)}…` : line;
}

/** The words that differ least from one, the closest first, at most `most`. Very long words aren't compared. */
export function closest(word: string, words: readonly string[], most: number): readonly string[] {
  return words
    .map((one) => ({ one, far: distance(word.toLowerCase(), one.toLowerCase()) }))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ one }) => one);
}

const longest = 100;

/** How many characters have to be inserted, removed, or replaced. */
function distance(from: string, to: string): number {
  if (from.length > longest || to.length > longest) return Infinity;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let taken = 1; taken <= from.length; taken++) {
    const next = [taken];
    for (let at = 1; at <= to.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (to[at - 1] === from[taken - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Words around a prompt. */
export interface Around {
  readonly before: string;
  readonly after: string;
}

/** A style, applied to a model: words around its prompt, and values of its other fields by name. */
export interface Styling<Value> extends Around {
  readonly fixed: ReadonlyMap<string, Value>;
}

/** The input that a style puts its words around. */
export const styledInput = 'prompt';

/** A prompt with a style’s words around it. */
export function styled({ before, after }: Around, prompt: string): string {
  return joined([before, prompt, after]);
}

/** The prompt that has a style’s words around it, without these; undefined if it hasn’t, or the style has none. */
export function unstyled(around: Around, prompt: string): string | undefined {
  const [before, after, all] = [around.before.trim(), around.after.trim(), prompt.trim()];
  if (before + after === '' || !all.startsWith(before) || !all.endsWith(after)) return undefined;
  const own = all.slice(before.length, Math.max(before.length, all.length - after.length)).trim();
  return own !== '' && spaced(styled(around, own)) === spaced(all) ? own : undefined;
}

/** What is sent for a field: the style’s value, or its words around a prompt that isn’t empty, or the user’s own. */
export function sentValue<Value>(style: Styling<Value> | undefined, name: string, own: Value): Value | string {
  const fixed = style?.fixed.get(name);
  if (fixed !== undefined) return fixed;
  const isStyled = style && name === styledInput && typeof own === 'string' && own.trim() !== '';
  return isStyled ? styled(style, own) : own;
}

/** Adds a space where two would touch. Checks only the parts, since the result can be very long. */
export function joined(parts: readonly string[]): string {
  const words = parts.filter((part) => part !== '');
  return words.reduce((all, part, index) => {
    const touches = index > 0 && !/\s/.test((words[index - 1] ?? '').slice(-1)) && !/\s/.test(part.charAt(0));
    return touches ? `${all} ${part}` : all + part;
  }, '');
}

function spaced(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Something that couldn't be done, and why. */
export interface Failure<T> {
  readonly thing: T;
  readonly error: unknown;
}

/** Does it for each in turn. A failure doesn't stop the rest; resolves with those that succeeded. */
export async function toEach<T>(things: readonly T[], act: (thing: T) => Promise<unknown>): Promise<Failure<T>[]> {
  const failures: Failure<T>[] = [];
  for (const thing of things) {
    try {
      await act(thing);
    } catch (error) {
      failures.push({ thing, error });
    }
  }
  return failures;
}

const names: Readonly<Record<string, string>> = { webp: 'WebP', 'svg+xml': 'SVG' };

/**
 * The file formats of media types, as a choice: "PNG, JPEG, or WebP"; without a locale, only a list.
 */
export function formatNames(types: readonly string[], locale?: string): string {
  const formats = types.map((type) => {
    const format = type.slice(type.indexOf('/') + 1);
    return names[format] ?? format.toUpperCase();
  });
  if (locale === undefined) return formats.join(', ');
  return new Intl.ListFormat(knownLocale(locale), { type: 'disjunction' }).format(formats);
}
