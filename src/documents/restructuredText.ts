import { imageLink, type ImageLink } from './link';
import { linesOf, sliceOf, type Span, type Written } from './scan';
import { pixelsOf } from './html';

interface SourceLine extends Span {
  /** The column where the text begins, after list markers. */
  readonly column: number;
  /** The column where the line begins. */
  readonly indent: number;
  readonly text: string;
}

const imageDirective = /^\.\.[ \t]+(?:\|[^|]+\|[ \t]+)?(image|figure)::[ \t]*(.*)$/;
/** Directives whose content is literal or not displayed. */
const verbatimDirective =
  /^\.\.[ \t]+(?:code|code-block|sourcecode|highlight|literalinclude|parsed-literal|raw|math|prompt|testcode|testoutput|doctest|productionlist|graphviz|mermaid|uml|csv-table|include|comment)::/;
/** Lines that begin with two dots but aren't comments: directives, targets, footnotes, citations, substitutions. */
const explicit = /^\.\.[ \t]+(?:[\w:.+-]+::|_|__|\[|\|)/;
const option = /^:([\w-]+):(?:[ \t]+(.*))?$/;

/** The images of a reStructuredText document, from image and figure directives, including those in substitutions. */
export function restructuredTextLinks(text: string): ImageLink[] {
  const lines = linesOf(text).map((span) => lineOf(text, span));
  const links: ImageLink[] = [];
  for (let index = 0; index < lines.length;) {
    const line = lines[index];
    if (!line) break;
    const directive = imageDirective.exec(line.text);
    if (directive) {
      const end = blockEnd(lines, index);
      const [, name = '', path = ''] = directive;
      const element = { start: line.start, end: lines[end - 1]?.end ?? line.end };
      const address = { start: line.end - path.length, end: line.end };
      if (path.trim() !== '') links.push(directiveLink(text, name, address, lines.slice(index + 1, end), element));
      index += 1;
    } else index = isVerbatim(line) ? blockEnd(lines, index) : index + 1;
  }
  return links;
}

/** The line opens a literal block, a comment, or a directive whose content isn't text. */
function isVerbatim({ text }: SourceLine): boolean {
  if (text === '..' || /^\.\.[ \t]/.test(text)) return verbatimDirective.test(text) || !explicit.test(text);
  return text.endsWith('::');
}

function lineOf(text: string, { start, end }: Span): SourceLine {
  const raw = text.slice(start, end).trimEnd();
  const indent = columnsOf(raw);
  const markers = /^\s*(?:(?:[-+*•]|#\.|\(?\d{1,9}[.)])[ \t]+)*/.exec(raw)?.[0].length ?? 0;
  const column = markers < raw.length ? markers : indent;
  return {
    start: start + column,
    end: start + raw.length,
    column,
    indent: raw === '' ? Infinity : indent,
    text: raw.slice(column),
  };
}

/** A line's block is what is indented deeper. Blank lines are part of any block. */
function blockEnd(lines: readonly SourceLine[], index: number): number {
  const column = lines[index]?.column ?? 0;
  let end = index + 1;
  let last = end;
  for (; end < lines.length && (lines[end]?.indent ?? 0) > column; end += 1) {
    if (lines[end]?.text !== '') last = end + 1;
  }
  return last;
}

/** The link of a directive, from the lines below its first: options, then for a `figure` its caption. */
function directiveLink(
  text: string,
  name: string,
  path: Span,
  rest: readonly SourceLine[],
  element: Span,
  pattern = option,
): ImageLink {
  const options = new Map<string, Written>();
  let index = 0;
  for (; index < rest.length; index += 1) {
    const line = rest[index];
    const found = line && pattern.exec(line.text);
    if (!line || !found) break;
    const value = continued(text, line, found[2] ?? '', rest.slice(index + 1));
    options.set(found[1] ?? '', value.written);
    index += value.lines;
  }
  const caption = name === 'figure' ? paragraphOf(text, rest.slice(index)) : undefined;
  const alt = options.get('alt') ?? caption;
  const width = pixelsOf(options.get('width')?.text ?? '');
  const height = pixelsOf(options.get('height')?.text ?? '');
  return imageLink({
    kind: 'directive',
    syntax: 'restructuredtext',
    element,
    address: { ...path, text: unescapedPath(sliceOf(text, path)) },
    ...(alt && { alt }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  });
}

const mystDirective = /^(?:`{3,}|~{3,}|:{3,})\{(figure|image)\}[ \t]+/;

/**
 * The same directive in Markdown, by MyST, from the lines of its fences and of all between them. Its options may be
 * YAML between dashes. Undefined if it names no image.
 */
export function mystLink(text: string, lines: readonly Span[]): ImageLink | undefined {
  const [first, ...rest] = lines.map((line) => lineOf(text, line));
  const [before = '', name = ''] = mystDirective.exec(first?.text ?? '') ?? [];
  const last = rest.at(-1);
  if (!first || before === '' || !last || !/^(?:`+|~+|:+)$/.test(last.text)) return undefined;
  const content = rest.slice(0, -1);
  const path = { start: first.start + before.length, end: first.end };
  const element = { start: first.start, end: last.end };
  if (content[0]?.text !== '---') return directiveLink(text, name, path, content, element);
  const options = content.slice(1).filter((line) => line.text !== '---');
  return directiveLink(text, name, path, options, element, /^([\w-]+):(?:[ \t]+(.*))?$/);
}

/** The value of an option, including continuation lines that are indented deeper. */
function continued(
  text: string,
  line: SourceLine,
  value: string,
  following: readonly SourceLine[],
): { readonly written: Written; readonly lines: number } {
  const more = following.findIndex((next) => next.text === '' || next.indent <= line.column);
  const lines = more < 0 ? following.length : more;
  const start = line.end - value.length;
  const end = following[lines - 1]?.end ?? line.end;
  return { written: { start, end, text: plainText(text.slice(start, end)) }, lines };
}

/** The first paragraph after the options. */
function paragraphOf(text: string, lines: readonly SourceLine[]): Written | undefined {
  const begin = lines.findIndex((line) => line.text !== '');
  const first = lines[begin];
  if (!first) return undefined;
  const length = lines.slice(begin).findIndex((line) => line.text === '');
  const end = (length < 0 ? lines.at(-1) : lines[begin + length - 1])?.end ?? first.end;
  return { start: first.start, end, text: plainText(text.slice(first.start, end)) };
}

function columnsOf(raw: string): number {
  return raw.length - raw.trimStart().length;
}

/** The text as displayed, on one line. */
function plainText(text: string): string {
  return text
    .replace(
      /\\([\s\S])|(?<![\w:+-]):[\w:+-]+:(?=`)|`([^`<]*)(<[^<>`]*>)?`_{0,2}|\*{1,2}/g,
      (_, escaped?: string, said?: string, target?: string) => {
        if (escaped !== undefined) return /\s/.test(escaped) ? '' : escaped;
        return (target === undefined ? said : said?.trimEnd()) ?? '';
      },
    )
    .replace(/\s+/g, ' ')
    .trim();
}

/** Text that displays literally, on one line. */
export function escapedForRestructuredText(text: string): string {
  return text.replace(/[\\*`|_]/g, '\\$&');
}

/** The path of a directive, without its unescaped white space. */
export function unescapedPath(written: string): string {
  return written.replace(/\\([\s\S])|\s+/g, (_, escaped?: string) => escaped ?? '');
}

/** A path as a directive's argument. */
export function escapedForRestructuredTextPath(path: string): string {
  return path.replace(/[\s\\]/g, '\\$&');
}
