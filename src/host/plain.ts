// Text that came from elsewhere, made fit for places of the editor that would read something into it.

const lineBreaks = /[\t-\r\u0085\u2028\u2029]+/g;

/** Control, bidirectional and zero-width characters, and lone halves of a surrogate pair. */
const invisible = /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\p{Cs}]+/gu;

/** One visible line of at most `length` UTF-16 units: what it shows is what it says. */
export function oneLine(text: string, length = 200): string {
  const line = text.replace(lineBreaks, ' ').replace(invisible, '').replace(/\s+/g, ' ').trim();
  return line.length > length ? `${line.slice(0, length - 1).replace(invisible, '')}…` : line;
}

/** The same lines, however they are broken, without what cannot be seen: what they show is what they say. */
export function manyLines(text: string): string[] {
  return text
    .split(/\r\n|[\n-\r\u0085\u2028\u2029]/)
    .map((line) => line.replaceAll('\t', '    ').replace(invisible, '').trimEnd());
}

/** For notifications, which make `[text](address)` a link that may run a command and know no escape character. */
export function plain(text: string, length = 200): string {
  return oneLine(text, length).replaceAll('](', '] (');
}

/** For labels of quick picks and the status bar, where `$(name)` would become an icon. */
export function iconless(text: string, length = 200): string {
  return oneLine(text, length).replaceAll('$(', '\\$(');
}

/** The editor's MarkdownString, as far as text is put into it. */
interface Markdown {
  appendText(text: string): Markdown;
  appendMarkdown(markdown: string): Markdown;
}

/** Puts one line of text into markdown so that it wraps between words: by itself `appendText` makes every space one that never breaks. */
export function appendLine<T extends Markdown>(markdown: T, line: string): T {
  const [first = '', second, ...rest] = line.split(' ');
  // The first space stays as it is: what begins with "1." would become a list.
  markdown.appendText(second === undefined ? first : `${first} ${second}`);
  for (const word of rest) markdown.appendMarkdown(' ').appendText(word);
  return markdown;
}
