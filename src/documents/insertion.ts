import { quotedText } from './asciidoc';
import { repathed } from './edits';
import { attributeText } from './entities';
import { endingOf, imageEndings } from './paths';
import * as latex from './latex';
import { encodedPath, type ImageLink } from './link';
import * as markdown from './markdown';
import * as rst from './restructuredText';
import { linesOf, type Span } from './scan';
import type { Syntax } from './syntax';
import * as typst from './typst';

/**
 * The form of images at a place in a document: `links`, or, where a path is expected (`src="…"`, `](…)`, a string in a
 * script), the `path` of a single one.
 */
export interface Insertion {
  readonly kind: 'links' | 'path';
  readonly text: string;
}

/** Something inserted in a document for trial: only the image links of the result show what has become of it. */
export interface Trial {
  /** The document with it. */
  readonly text: string;
  /** What to insert, given all image links of that text. */
  readonly outcome: (links: readonly ImageLink[]) => Insertion | undefined;
}

/**
 * Tries to show these images in each of the given spans of a document. Without a trial, or an outcome, no single text
 * suits all of them, or one of them can show no image: in a comment, in displayed code, after the beginning of a path,
 * or for several images where one path is expected.
 */
export function trialOf(
  text: string,
  spans: readonly Span[],
  syntax: Syntax,
  images: readonly ImageMarkup[],
): Trial | undefined {
  const [first] = images;
  const begun = only(spans.map((span) => ({ text: beginningOfPath(lineBefore(text, span), syntax) })));
  if (!first || !begun) return undefined;
  if (begun.text === undefined) return trialOfLinks(text, spans, syntax, images);
  return begun.text === '' && images.length === 1 ? trialOfPath(text, spans, first.path) : undefined;
}

/** Image links that replace a span, on lines of their own where the language requires that. */
export function linksAt(text: string, span: Span, syntax: Syntax, images: readonly ImageMarkup[]): string {
  const links = linkTexts(syntax, images);
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
  const lines = linesOf(text).map((line) => ({ ...line, text: text.slice(line.start, line.end).trimEnd() }));
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
export function linkTexts(syntax: Syntax, images: readonly ImageMarkup[]): string {
  const between = standsAlone(syntax) ? '\n\n' : syntax === 'css' || syntax === 'scss' ? ', ' : ' ';
  return images.map((image) => imageText(syntax, image)).join(between);
}

function lineBefore(text: string, { start }: Span): string {
  return text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
}

/** The text before a path: attributes, strings, addresses in parentheses, commands, and directives. */
const beforePath: Readonly<
  Record<'tags' | 'markdown' | 'field' | 'style' | 'latex' | 'typst' | 'restructuredtext' | 'asciidoc', RegExp>
> = {
  tags: /(?:^|\s)[\w:@.-]+\s*=\s*\{?\s*["'`]([^"'`]*)$/,
  markdown: /(?:\]\(\s*<?|^\s*\[[^\]]+\]:\s*<?)([^)>\s]*)$/,
  field: /^\s*(?:- )?[\w.-]{0,40}(?:image|cover|thumbnail|hero|banner|src)[\w.-]{0,40}\s*[:=]\s*["']([^"']*)$/i,
  style: /\burl\(\s*["']?([^"')]*)$/i,
  latex: /\\(?:includegraphics|includesvg|input|include|href|url|path)\*?(?:\[[^\]]*\])?\{([^{}]*)$/,
  typst: /\bimage\(\s*"([^"]*)$/,
  restructuredtext: /\.\. (?:\|[^|]+\| )?(?:image|figure)::\s*(\S*)$/,
  asciidoc: /(?:image|link|video|xref)::?(\S*)$/,
};

/** The innermost syntax comes first: a style before the attribute that contains it. */
const contexts: Readonly<Record<Syntax, readonly RegExp[]>> = {
  markdown: [beforePath.markdown, beforePath.field, beforePath.style, beforePath.tags],
  mdx: [beforePath.markdown, beforePath.field, beforePath.style, beforePath.tags],
  html: [beforePath.style, beforePath.tags],
  vue: [beforePath.style, beforePath.tags],
  svelte: [beforePath.style, beforePath.tags],
  astro: [beforePath.style, beforePath.tags],
  jsx: [beforePath.style, beforePath.tags],
  css: [beforePath.style],
  scss: [beforePath.style],
  latex: [beforePath.latex],
  typst: [beforePath.typst],
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

/** The links have to display as images, rather than be part of a comment or of code. */
function trialOfLinks(
  text: string,
  spans: readonly Span[],
  syntax: Syntax,
  images: readonly ImageMarkup[],
): Trial | undefined {
  const inserted = only(spans.map((span) => ({ text: linksAt(text, span, syntax, images) })));
  if (!inserted) return undefined;
  const tried = withEach(text, spans, inserted.text);
  const isShown = (links: readonly ImageLink[], { start, end }: Span) =>
    links.some(({ element }) => element.start >= start && element.end <= end);
  return {
    text: tried.text,
    outcome: (links) =>
      tried.spans.every((span) => isShown(links, span)) ? { kind: 'links', text: inserted.text } : undefined,
  };
}

/** Written as the language requires at that place: an import in a script differs from other strings. */
function trialOfPath(text: string, spans: readonly Span[], path: string): Trial {
  const probe = 'probe.png';
  const tried = withEach(text, spans, probe);
  const written = (links: readonly ImageLink[], { start, end }: Span) => {
    const link = links.find(({ address }) => address.start === start && address.end >= end);
    return link ? repathed({ ...link, address: { ...link.address, text: probe } }, path).text : encodedPath(path);
  };
  return {
    text: tried.text,
    outcome: (links) => {
      const same = only(tried.spans.map((span) => ({ text: written(links, span) })));
      return same && { kind: 'path', text: same.text };
    },
  };
}

/** The document with a text in place of each span, and where that is then. */
function withEach(text: string, spans: readonly Span[], inserted: string) {
  const parts: string[] = [];
  const placed: Span[] = [];
  let from = 0;
  let length = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    parts.push(text.slice(from, start), inserted);
    length += start - from;
    placed.push({ start: length, end: length + inserted.length });
    length += inserted.length;
    from = end;
  }
  return { text: parts.join('') + text.slice(from), spans: placed };
}

/** The first if all have the same text. */
function only<T extends { readonly text: string | undefined }>([first, ...others]: readonly T[]): T | undefined {
  return others.every(({ text }) => text === first?.text) ? first : undefined;
}

/** The parts of a new image's markup. */
export interface ImageMarkup {
  /** As `linkPath` gives it: relative to the document, or from a site's root. Not encoded. */
  readonly path: string;
  readonly alt: string;
  readonly title?: string;
  /** In pixels. */
  readonly width?: number;
  /** In pixels. */
  readonly height?: number;
}

/** Languages in which an image needs lines to itself. */
const ownLine: ReadonlySet<Syntax> = new Set(['restructuredtext', 'asciidoc']);

/** Whether the result of `imageText` must start and end a line. */
export function standsAlone(syntax: Syntax): boolean {
  return ownLine.has(syntax);
}

/**
 * The markup that shows an image in a document. Every text displays literally, whatever it contains; its white space
 * becomes single spaces. Omits texts that the language has no syntax for. Line breaks are `\n`.
 */
export function imageText(syntax: Syntax, parts: ImageMarkup): string {
  const said = {
    ...parts,
    alt: oneLine(parts.alt),
    title: parts.title === undefined ? undefined : oneLine(parts.title),
  };
  switch (syntax) {
    case 'markdown':
    case 'mdx':
      return markdownImage(said);
    case 'html':
    case 'vue':
    case 'svelte':
    case 'astro':
      return tag(said, '>', (number) => `"${number}"`);
    case 'jsx':
      return tag(said, ' />', (number) => `{${number}}`);
    case 'css':
    case 'scss':
      return `url("${encodedPath(parts.path)}")`;
    case 'latex':
      return latexImage(said);
    case 'typst':
      return typstImage(said);
    case 'restructuredtext':
      return directive(said);
    case 'asciidoc':
      return macro(said);
  }
}

function markdownImage({ path, alt, title }: ImageMarkup): string {
  return `![${markdown.escapedForMarkdown(alt)}](${encodedPath(path)}${title ? ` ${markdown.quotedTitle(title)}` : ''})`;
}

function tag(
  { path, alt, title, width, height }: ImageMarkup,
  close: string,
  number: (value: number) => string,
): string {
  const attributes = [
    `src="${encodedPath(path)}"`,
    `alt="${attributeText(alt)}"`,
    ...(title ? [`title="${attributeText(title)}"`] : []),
    ...(width === undefined ? [] : [`width=${number(width)}`]),
    ...(height === undefined ? [] : [`height=${number(height)}`]),
  ];
  return `<img ${attributes.join(' ')}${close}`;
}

function latexImage({ path, alt }: ImageMarkup): string {
  const words = alt === '' ? '' : `,alt={${latex.escapedForLatex(alt)}}`;
  return `\\includegraphics[width=\\linewidth${words}]{${latex.escapedForLatexPath(path)}}`;
}

function typstImage({ path, alt }: ImageMarkup): string {
  const words = alt === '' ? '' : `, alt: "${typst.stringText(alt)}"`;
  return `#image("${typst.stringText(path)}"${words})`;
}

function directive({ path, alt, width, height }: ImageMarkup): string {
  return [
    `.. image:: ${rst.escapedForRestructuredTextPath(path)}`,
    ...(alt === '' ? [] : [`   :alt: ${rst.escapedForRestructuredText(alt)}`]),
    ...(width === undefined ? [] : [`   :width: ${width}px`]),
    ...(height === undefined ? [] : [`   :height: ${height}px`]),
  ].join('\n');
}

function macro({ path, alt, title, width, height }: ImageMarkup): string {
  const size =
    width === undefined && height === undefined ? '' : `,${width ?? ''}${height === undefined ? '' : `,${height}`}`;
  const named = title ? `,title=${quotedText(title)}` : '';
  return `image::${macroPath(path)}[${quotedText(alt)}${size}${named}]`;
}

/** Asciidoctor accepts spaces as they are, and requires them for printed documents. */
function macroPath(path: string): string {
  return encodedPath(path).replace(/(?<!^)%20(?!$)/g, ' ');
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** A longer text isn't a list of paths, in UTF-16 code units. */
const longest = 20_000;

/**
 * The image paths in a text of one path per line, as "Copy Path" in an editor or a system gives them: absolute,
 * relative, or URIs, quoted or not. Empty for any other text.
 */
export function pastedPaths(text: string): readonly string[] {
  if (text.length > longest) return [];
  const lines = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/^(["'])(.*)\1$/, '$2'));
  return lines.every(isImagePath) ? lines : [];
}

function isImagePath(line: string): boolean {
  return (
    !/[<>"|*\p{Cc}]/u.test(line) &&
    !/^(?:https?|data):/i.test(line) &&
    imageEndings.has(endingOf(line.replaceAll('\\', '/')))
  );
}
