import { encodedPath } from './address';
import { repathed } from './edits';
import { imageLinks } from './imageLinks';
import { imageText, standsAlone, type ImageParts } from './imageText';
import { linesOf } from './scan';
import type { Span } from './span';
import type { Syntax } from './syntax';

/**
 * What pictures become at a place of a document: `links`, or at a place where a path is awaited (`src="…"`, `](…)`, a
 * string of a script) the `path` of the one.
 */
export interface Insertion {
  readonly kind: 'links' | 'path';
  readonly text: string;
}

/**
 * What to insert in the place of a span of a document, that it shows these pictures. Undefined where no picture can be
 * shown: in a comment, in code that is shown, behind the beginning of a path, and for several where one path is
 * awaited.
 */
export function insertionOf(
  text: string,
  span: Span,
  syntax: Syntax,
  pictures: readonly ImageParts[],
): Insertion | undefined {
  const [first] = pictures;
  if (!first) return undefined;
  const begun = beginningOfPath(lineBefore(text, span), syntax);
  if (begun !== undefined) {
    return begun === '' && pictures.length === 1 ? pathInsertion(text, span, syntax, first.path) : undefined;
  }
  const links = linksAt(text, span, syntax, pictures);
  return isShown(text, span, syntax, links) ? { kind: 'links', text: links } : undefined;
}

/** The text to insert in each of these spans; undefined if one text won't do for all of them. */
export function sameInsertion(
  text: string,
  spans: readonly Span[],
  syntax: Syntax,
  pictures: readonly ImageParts[],
): Insertion | undefined {
  const [first, ...more] = spans.map((span) => insertionOf(text, span, syntax, pictures));
  return more.every((one) => one?.kind === first?.kind && one?.text === first?.text) ? first : undefined;
}

/** Links to pictures in the place of a span: in lines of their own where the language asks for that. */
export function linksAt(text: string, span: Span, syntax: Syntax, pictures: readonly ImageParts[]): string {
  const links = linkTexts(syntax, pictures);
  if (!standsAlone(syntax)) return links;
  const lineEnd = text.indexOf('\n', span.end);
  const after = text.slice(span.end, lineEnd < 0 ? text.length : lineEnd).trim() === '' ? '\n' : '\n\n';
  return gapBefore(text, span) + links + after;
}

/** A line right below another one would be more of its paragraph. */
function gapBefore(text: string, span: Span): string {
  const line = lineBefore(text, span);
  if (line.trim() !== '') return '\n\n';
  const lineStart = span.start - line.length;
  return lineStart === 0 || lineBefore(text, { start: lineStart - 1, end: lineStart }).trim() === '' ? '' : '\n';
}

/**
 * Where links go that are asked for at an offset. What has lines of its own would cut a paragraph, a list or a
 * directive in two, or become part of it: it goes behind all that belongs together there, which ends where a line that
 * is not indented follows a blank one.
 */
export function linkOffset(text: string, offset: number, syntax: Syntax): number {
  if (!standsAlone(syntax)) return offset;
  const lines = [...linesOf(text)].map((line) => ({ ...line, text: text.slice(line.start, line.end).trimEnd() }));
  const at = lines.findLastIndex(({ start }) => start <= offset);
  let last = lines[at]?.text === '' ? undefined : at;
  for (let next = at + 1; next < lines.length; next++) {
    const line = lines[next]?.text ?? '';
    if (line !== '' && lines[next - 1]?.text === '' && !/^\s/.test(line)) break;
    if (line !== '' && (last !== undefined || /^\s/.test(line))) last = next;
    else if (line !== '') break;
  }
  const end = last === undefined ? undefined : lines[last];
  return end ? end.start + end.text.length : offset;
}

/** Links to pictures, one after the other. */
export function linkTexts(syntax: Syntax, pictures: readonly ImageParts[]): string {
  const between = standsAlone(syntax) ? '\n\n' : syntax === 'css' || syntax === 'scss' ? ', ' : ' ';
  return pictures.map((picture) => imageText(syntax, picture)).join(between);
}

function lineBefore(text: string, { start }: Span): string {
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
}

/** The text before a path: attributes, strings, addresses in parentheses, commands and directives. */
const beforePath: Readonly<Record<'tags' | 'markdown' | 'style' | 'latex' | 'restructuredtext' | 'asciidoc', RegExp>> =
  {
    tags: /(?:^|\s)[\w:@.-]+\s*=\s*\{?\s*["'`]([^"'`]*)$/,
    markdown: /(?:\]\(\s*<?|^\s*\[[^\]]+\]:\s*<?)([^)>\s]*)$/,
    style: /\burl\(\s*["']?([^"')]*)$/i,
    latex: /\\(?:includegraphics|includesvg|input|include|href|url|path)\*?(?:\[[^\]]*\])?\{([^{}]*)$/,
    restructuredtext: /\.\. (?:\|[^|]+\| )?(?:image|figure)::\s*(\S*)$/,
    asciidoc: /(?:image|link|video|xref)::?(\S*)$/,
  };

/** What stands inside of another before it: a style in an attribute. */
const contexts: Readonly<Record<Syntax, readonly RegExp[]>> = {
  markdown: [beforePath.markdown, beforePath.style, beforePath.tags],
  mdx: [beforePath.markdown, beforePath.style, beforePath.tags],
  html: [beforePath.style, beforePath.tags],
  vue: [beforePath.style, beforePath.tags],
  svelte: [beforePath.style, beforePath.tags],
  jsx: [beforePath.style, beforePath.tags],
  css: [beforePath.style],
  scss: [beforePath.style],
  latex: [beforePath.latex],
  restructuredtext: [beforePath.restructuredtext],
  asciidoc: [beforePath.asciidoc],
};

/** Languages in which quotes are strings everywhere. */
const quoting: ReadonlySet<Syntax> = new Set(['jsx', 'css', 'scss']);

/**
 * No path is longer, with what is written before it, UTF-16 code units: of a line, no more is looked at for the
 * beginning of one.
 */
const longestBeginning = 1000;

/** As much of a path as is before the place, '' where it begins there; undefined where no path is awaited. */
function beginningOfPath(line: string, syntax: Syntax): string | undefined {
  const end = line.slice(-longestBeginning);
  for (const context of contexts[syntax]) {
    const begun = context.exec(end)?.[1];
    if (begun !== undefined) return begun;
  }
  return quoting.has(syntax) ? openString(line) : undefined;
}

/** The text in a string that the line leaves open. */
function openString(line: string): string | undefined {
  let open: { readonly quote: string; readonly at: number } | undefined;
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === '\\') at++;
    else if (open) open = character === open.quote ? undefined : open;
    else if (/["'`]/.test(character) && !isApostrophe(line, at)) open = { quote: character, at };
  }
  return open && line.slice(open.at + 1);
}

/** As in “isn't”: text of a page. */
function isApostrophe(line: string, at: number): boolean {
  return line.charAt(at) === "'" && /\p{L}/u.test(line.charAt(at - 1)) && /\p{L}/u.test(line.charAt(at + 1));
}

/** Written as the language writes it there: a script's import otherwise than its other strings. */
function pathInsertion(text: string, span: Span, syntax: Syntax, path: string): Insertion {
  const probe = 'probe.png';
  const whole = text.slice(0, span.start) + probe + text.slice(span.end);
  const link = imageLinks(whole, syntax).find(
    ({ address }) => address.start === span.start && address.end >= span.start + probe.length,
  );
  const written = link && repathed({ ...link, address: { ...link.address, text: probe } }, path).text;
  return { kind: 'path', text: written ?? encodedPath(path) };
}

/** True where what is inserted is a picture to who reads the document, and not part of a comment or of code. */
function isShown(text: string, { start, end }: Span, syntax: Syntax, inserted: string): boolean {
  const whole = text.slice(0, start) + inserted + text.slice(end);
  return imageLinks(whole, syntax).some(
    ({ element }) => element.start >= start && element.end <= start + inserted.length,
  );
}
