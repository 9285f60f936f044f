import { entityDecoded, entityPattern } from './entities';

const escape = /\\([!-/:-@[-`{-~])/;
const escapes = new RegExp(`${escape.source}|${entityPattern.source}`, 'gi');

/** Markdown text with backslashes and entities decoded. */
export function unescaped(text: string): string {
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

/** Text that Markdown displays literally, inside brackets. */
export function escapedText(text: string): string {
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
