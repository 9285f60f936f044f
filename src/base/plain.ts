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
  return linkless(oneLine(text, length));
}

/**
 * For the rows of quick picks and the status bar, where `$(name)` would become an icon; and who points at a row is
 * shown it as markdown, with pictures that are fetched and links.
 */
export function iconless(text: string, length = 200): string {
  return addressless(signless(linkless(oneLine(text, length))));
}

/**
 * For the prompt and the message of an input box, where the editor makes both links that may run a command and icons.
 */
export function boxed(text: string, length = 1000): string {
  return signless(linkless(oneLine(text, length)));
}

function linkless(line: string): string {
  return line.replaceAll('](', '] (');
}

function signless(line: string): string {
  return line.replaceAll('$(', '\\$(');
}

/** Addresses stay as they look; a word joiner in each keeps it from becoming a link. */
function addressless(line: string): string {
  return line.replace(/:(?=\/\/)|w(?=ww\.)|@/gi, '$&\u2060');
}

/** The editor's MarkdownString, as far as text is put into it. */
interface Markdown {
  appendMarkdown(markdown: string): Markdown;
}

/**
 * Puts one line of text into markdown so that it shows just that and wraps between its words. The editor's own
 * `appendText` is no fence: addresses in it become links, what is written like a tag is left out, and its spaces never
 * break.
 */
export function appendLine<T extends Markdown>(markdown: T, line: string): T {
  markdown.appendMarkdown(line.replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`));
  return markdown;
}
