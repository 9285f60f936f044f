import { encodedPath } from './address';
import { repathed } from './edits';
import { imageLinks } from './imageLinks';
import { imageText, standsAlone, type ImageParts } from './imageText';
import { linesOf } from './scan';
import type { Span } from './span';
import type { Syntax } from './syntax';

/**
 * The form of images at a place in a document: `links`, or, where a path is expected (`src="…"`, `](…)`, a string in a
 * script), the `path` of a single one.
 */
export interface Insertion {
  readonly kind: 'links' | 'path';
  readonly text: string;
}

/**
 * The replacement for a span of a document that shows these images. Undefined where no image can be shown: in a
 * comment, in displayed code, after the beginning of a path, or for several images where one path is expected.
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

/** The text to insert in each of these spans; undefined if no single text suits all of them. */
export function sameInsertion(
  text: string,
  spans: readonly Span[],
  syntax: Syntax,
  pictures: readonly ImageParts[],
): Insertion | undefined {
  const [first, ...more] = spans.map((span) => insertionOf(text, span, syntax, pictures));
  return more.every((one) => one?.kind === first?.kind && one?.text === first?.text) ? first : undefined;
}

/** Image links that replace a span, on lines of their own where the language requires that. */
export function linksAt(text: string, span: Span, syntax: Syntax, pictures: readonly ImageParts[]): string {
  const links = linkTexts(syntax, pictures);
  if (!standsAlone(syntax)) return links;
  const lineEnd = text.indexOf('\n', span.end);
  const after = text.slice(span.end, lineEnd < 0 ? text.length : lineEnd).trim() === '' ? '\n' : '\n\n';
  return gapBefore(text, span) + links + after;
}

/** A line directly below another would join its paragraph. */
function gapBefore(text: string, span: Span): string {
  const line = lineBefore(text, span);
  if (line.trim() !== '') return '\n\n';
  const lineStart = span.start - line.length;
  return lineStart === 0 || lineBefore(text, { start: lineStart - 1, end: lineStart }).trim() === '' ? '' : '\n';
}

/**
 * The place for links requested at an offset. A link that needs its own lines would split a paragraph, list, or
 * directive, or become part of it. So it goes after that block, which ends where an unindented line follows a blank
 * one.
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

/** Image links, one after another. */
export function linkTexts(syntax: Syntax, pictures: readonly ImageParts[]): string {
  const between = standsAlone(syntax) ? '\n\n' : syntax === 'css' || syntax === 'scss' ? ', ' : ' ';
  return pictures.map((picture) => imageText(syntax, picture)).join(between);
}

function lineBefore(text: string, { start }: Span): string {
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
}

/** The text before a path: attributes, strings, addresses in parentheses, commands, and directives. */
const beforePath: Readonly<Record<'tags' | 'markdown' | 'style' | 'latex' | 'restructuredtext' | 'asciidoc', RegExp>> =
  {
    tags: /(?:^|\s)[\w:@.-]+\s*=\s*\{?\s*["'`]([^"'`]*)$/,
    markdown: /(?:\]\(\s*<?|^\s*\[[^\]]+\]:\s*<?)([^)>\s]*)$/,
    style: /\burl\(\s*["']?([^"')]*)$/i,
    latex: /\\(?:includegraphics|includesvg|input|include|href|url|path)\*?(?:\[[^\]]*\])?\{([^{}]*)$/,
    restructuredtext: /\.\. (?:\|[^|]+\| )?(?:image|figure)::\s*(\S*)$/,
    asciidoc: /(?:image|link|video|xref)::?(\S*)$/,
  };

/** The innermost syntax comes first: a style before the attribute that contains it. */
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

/** Languages in which any quote starts a string. */
const quoting: ReadonlySet<Syntax> = new Set(['jsx', 'css', 'scss']);

/**
 * The longest path including what precedes it, in UTF-16 code units. Limits how much of a line is searched for its
 * beginning.
 */
const longestBeginning = 1000;

/** The part of a path before the place, '' if the path begins there; undefined where no path is expected. */
function beginningOfPath(line: string, syntax: Syntax): string | undefined {
  const end = line.slice(-longestBeginning);
  for (const context of contexts[syntax]) {
    const begun = context.exec(end)?.[1];
    if (begun !== undefined) return begun;
  }
  return quoting.has(syntax) ? openString(line) : undefined;
}

/** The text of a string that is still open at the end of the line. */
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

/** As in “isn't”, in the text of a page. */
function isApostrophe(line: string, at: number): boolean {
  return line.charAt(at) === "'" && /\p{L}/u.test(line.charAt(at - 1)) && /\p{L}/u.test(line.charAt(at + 1));
}

/** Written as the language requires at that place: an import in a script differs from other strings. */
function pathInsertion(text: string, span: Span, syntax: Syntax, path: string): Insertion {
  const probe = 'probe.png';
  const whole = text.slice(0, span.start) + probe + text.slice(span.end);
  const link = imageLinks(whole, syntax).find(
    ({ address }) => address.start === span.start && address.end >= span.start + probe.length,
  );
  const written = link && repathed({ ...link, address: { ...link.address, text: probe } }, path).text;
  return { kind: 'path', text: written ?? encodedPath(path) };
}

/** Whether the inserted text would display as an image, rather than be part of a comment or of code. */
function isShown(text: string, { start, end }: Span, syntax: Syntax, inserted: string): boolean {
  const whole = text.slice(0, start) + inserted + text.slice(end);
  return imageLinks(whole, syntax).some(
    ({ element }) => element.start >= start && element.end <= start + inserted.length,
  );
}
