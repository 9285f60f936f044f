// Makes foreign text safe for parts of the editor that would interpret it.

const lineBreaks = /[\t-\r\u0085\u2028\u2029]+/g;

/**
 * What nobody sees: controls, formats such as directions, tags, selectors, fillers, soft hyphens, and lone halves of a
 * surrogate pair. Except single ones that shape what is seen: in an emoji, or between letters of scripts from Arabic to
 * Sinhala and of Khmer. Arabic number signs are formats that are seen.
 */
const invisible =
  /(?![\t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]|(?<=\p{Emoji})\ufe0f|(?<=\p{ExtPict}[\ufe0f\p{EMod}]?)\u200d(?=\p{ExtPict})|(?<=[\u0600-\u0dff\u1780-\u17ff])[\u200c\u200d](?=[\u0600-\u0dff\u1780-\u17ff]))[\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2028\u2029]/gu;

/** The text without anything hidden; line breaks and tabs stay. */
export function visible(text: string): string {
  return text.replace(invisible, '');
}

/** One visible line of at most `length` UTF-16 units, without anything hidden. */
export function oneLine(text: string, length = 200): string {
  const line = visible(text.replace(lineBreaks, ' ')).replace(/\s+/g, ' ').trim();
  return line.length > length ? `${visible(line.slice(0, length - 1))}…` : line;
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

/** For notifications, which turn `[text](address)` into a link that may run a command, and have no escape character. */
export function plain(text: string, length = 200): string {
  return linkless(oneLine(text, length));
}

/**
 * For rows of quick picks and the Status Bar, where `$(name)` becomes an icon; a row's hover renders it as Markdown,
 * including remote images and links.
 */
export function escapeForIcons(text: string, length = 200): string {
  return addressless(signless(linkless(oneLine(text, length))));
}

/** For the prompt and message of an input box, where the editor renders icons and links that may run a command. */
export function escapeForBox(text: string, length = 1000): string {
  return signless(linkless(oneLine(text, length)));
}

function linkless(line: string): string {
  return line.replaceAll('](', '] (');
}

function signless(line: string): string {
  return line.replaceAll('$(', '\\$(');
}

/** URLs keep their look; an inserted word joiner keeps them from becoming links. */
function addressless(line: string): string {
  return line.replace(/:(?=\/\/)|w(?=ww\.)|@/gi, '$&\u2060');
}

/** The part of the editor's MarkdownString that is used. */
interface Markdown {
  appendMarkdown(markdown: string): Markdown;
}

/**
 * Appends one line of text to Markdown so that it's shown literally and wraps between words and within long ones. The
 * editor's own `appendText` isn't safe: it lets URLs become links, drops what looks like a tag, and its spaces don't
 * wrap.
 */
export function appendLine<T extends Markdown>(markdown: T, line: string): T {
  // The space without width breaks what has more characters without a space than a hover is wide.
  const wrapping = line.replace(/\S{40}/gu, '$&\u200b');
  markdown.appendMarkdown(wrapping.replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`));
  return markdown;
}
