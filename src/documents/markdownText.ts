import { entityDecoded, entityPattern } from './entities';

const escape = /\\([!-/:-@[-`{-~])/;
const escapes = new RegExp(`${escape.source}|${entityPattern.source}`, 'gi');

/** A text of Markdown with its backslashes and entities read. */
export function unescaped(text: string): string {
  return text.replace(escapes, (whole, escaped?: string) => escaped ?? entityDecoded(whole));
}

const markup = new RegExp(
  [
    escapes.source,
    // A link inside a text: what it says stays.
    String.raw`!?\[(?<said>[^[\]\\]*)\]\([^()]*\)`,
    // Code spans, emphasis, what is struck out. A run of underscores is looked at from its beginning alone, so that a
    // long one costs its length.
    '(?<mark>`+|~~+|\\*+(?=\\S)|(?<=\\S)\\*+|(?<!\\w)_+|(?<=[a-z0-9]|\\\\_)_+(?!\\w))',
  ].join('|'),
  'gi',
);

/** A text of Markdown as it is shown, on one line. */
export function plainText(text: string): string {
  return text
    .replace(markup, (whole, ...rest) => {
      const groups = rest.at(-1) as { readonly said?: string; readonly mark?: string };
      if (groups.mark !== undefined) return '';
      return groups.said ?? (rest[0] as string | undefined) ?? entityDecoded(whole);
    })
    .replace(/\s+/g, ' ')
    .trim();
}

/** A text that says itself in Markdown, inside brackets. */
export function escapedText(text: string): string {
  return text.replace(/[\\`*_[\]<>&~!{}$|^]/g, '\\$&');
}

/** A title of Markdown, with its quotes. */
export function quotedTitle(text: string): string {
  return `"${text.replace(/[\\"&<>{}`*_[\]]/g, '\\$&')}"`;
}

/** A label as references are compared: case and white space mean nothing. */
export function normalLabel(label: string): string {
  return label.replace(/\s+/g, ' ').trim().toLowerCase().toUpperCase();
}
