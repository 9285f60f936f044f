import { imageLink, type ImageLink } from './link';
import { append, indexAfter, type Span, type Written } from './scan';

/** Environments with literal text. */
const verbatim = /^(?:[BL]?[Vv]erbatim\*?|lstlisting|minted|comment|alltt|filecontents\*?)$/;
/** Environments whose caption describes the images in them. */
const figure = /^(?:figure|wrapfigure|marginfigure|sidewaysfigure|subfigure|SCfigure|floatingfigure|teaserfigure)\*?$/;
/** Ignores captions of figures nested deeper than this. */
const deepest = 10;
/** Limits how many image folders are searched. */
const mostFolders = 32;
const verbatimCommands = new Set(['verb', 'lstinline', 'mintinline']);

const token = /%|\\(?:([A-Za-z@]+)\*?|[\s\S])/g;
const pathArgument = /\s*\{((?:[^{}\\\n]|\\.)*)\}/y;
const blankLine = /\n[ \t]*\r?\n/y;
const environmentName = /\s*\{([^{}\n]*)\}/y;

interface Figure {
  readonly environment: string;
  readonly links: number[];
  caption?: Written;
}

/** The images of a LaTeX document. */
export function latexLinks(text: string): ImageLink[] {
  return new LatexReader(text).read();
}

class LatexReader {
  private readonly links: ImageLink[] = [];
  private readonly figures: Figure[] = [];
  private folders: readonly string[] | undefined;
  private at = 0;

  constructor(private readonly text: string) {}

  read(): ImageLink[] {
    for (;;) {
      token.lastIndex = this.at;
      const found = token.exec(this.text);
      if (!found) break;
      this.at = token.lastIndex;
      if (found[0] === '%') this.at = indexAfter(this.text, '\n', this.at);
      else if (found[1] !== undefined) this.command(found[1], found.index);
    }
    while (this.figures.length > 0) this.endFigure();
    const { folders } = this;
    return folders ? this.links.map((link) => ({ ...link, folders })) : this.links;
  }

  private command(name: string, start: number): void {
    if (name === 'includegraphics') this.image(start);
    else if (name === 'caption' || name === 'captionof') this.caption(name);
    else if (name === 'begin') this.begin();
    else if (name === 'end') this.end();
    else if (name === 'graphicspath') this.graphicsPath();
    else if (name === 'iffalse') this.at = indexAfter(this.text, '\\fi', this.at);
    else if (verbatimCommands.has(name)) this.verbatimArgument();
  }

  private image(start: number): void {
    const options = this.group('[', ']');
    pathArgument.lastIndex = this.at;
    const [whole, raw = ''] = pathArgument.exec(this.text) ?? [];
    if (whole === undefined) return;
    this.at = pathArgument.lastIndex;
    const from = this.at - 1 - raw.length;
    const address = { start: from, end: this.at - 1, text: unescapedPath(raw) };
    const alt = options && this.altOption(options);
    // An escaped `#` is part of the name; a bare one is a macro argument.
    const composed = /\\[A-Za-z@]|(?<!\\)#\d/.test(raw);
    const element = { start, end: this.at };
    this.figures.at(-1)?.links.push(this.links.length);
    this.links.push(imageLink({ kind: 'command', syntax: 'latex', element, address, composed, ...(alt && { alt }) }));
  }

  private altOption({ start, end }: Span): Written | undefined {
    const option = /(?:^|,)\s*alt\s*=\s*(?:(\{)|([^,{}]*))/.exec(this.text.slice(start, end));
    if (!option) return undefined;
    const from = start + option.index + option[0].length;
    if (option[1] === undefined) return this.said({ start: from - (option[2]?.length ?? 0), end: from });
    const close = closingOf(this.text, from, '}');
    return close === undefined ? undefined : this.said({ start: from, end: close });
  }

  private caption(name: string): void {
    if (name === 'captionof') this.group('{', '}');
    this.group('[', ']');
    const words = this.group('{', '}');
    const around = this.figures.at(-1);
    if (around && words) around.caption ??= this.said(words);
  }

  private begin(): void {
    const environment = this.environment();
    if (environment === undefined) return;
    if (verbatim.test(environment)) this.at = indexAfter(this.text, `\\end{${environment}}`, this.at);
    else if (figure.test(environment) && this.figures.length < deepest) this.figures.push({ environment, links: [] });
  }

  private end(): void {
    const environment = this.environment();
    if (environment === 'document') this.at = this.text.length;
    else if (environment !== undefined && environment === this.figures.at(-1)?.environment) this.endFigure();
  }

  /** Gives the images of a figure its caption. Without one, they belong to the enclosing figure. */
  private endFigure(): void {
    const ended = this.figures.pop();
    if (!ended) return;
    const without = ended.links.filter((index) => !this.links[index]?.alt);
    for (const index of without) {
      const link = this.links[index];
      if (link && ended.caption) this.links[index] = { ...link, alt: ended.caption };
    }
    const around = this.figures.at(-1);
    if (around && !ended.caption) append(around.links, without);
  }

  private graphicsPath(): void {
    const paths = this.group('{', '}');
    if (!paths) return;
    const folders = [...this.text.slice(paths.start, paths.end).matchAll(/\{([^{}]*)\}/g)].slice(0, mostFolders);
    this.folders = folders.map(([, folder = '']) => unescapedPath(folder));
  }

  private verbatimArgument(): void {
    const mark = this.text[this.at];
    if (mark === undefined || /[\s{[]/.test(mark)) return;
    for (let at = this.at + 1; at < this.text.length && this.text[at] !== '\n'; at += 1) {
      if (this.text[at] !== mark) continue;
      this.at = at + 1;
      return;
    }
  }

  private environment(): string | undefined {
    environmentName.lastIndex = this.at;
    const name = environmentName.exec(this.text)?.[1];
    if (name !== undefined) this.at = environmentName.lastIndex;
    return name;
  }

  /** The contents of the next braces or brackets. An unclosed one ends its paragraph, as in LaTeX. */
  private group(open: string, close: string): Span | undefined {
    const gap = /\s*/y;
    gap.lastIndex = this.at;
    gap.test(this.text);
    const start = gap.lastIndex + 1;
    if (this.text[start - 1] !== open) return undefined;
    const end = closingOf(this.text, start, close);
    this.at = end === undefined ? paragraphEnd(this.text, start) : end + 1;
    return end === undefined ? undefined : { start, end };
  }

  private said({ start, end }: Span): Written {
    return { start, end, text: plainText(this.text.slice(start, end)) };
  }
}

/**
 * The offset of the bracket that closes the one open at `from`, outside braces; undefined if the paragraph ends first.
 */
function closingOf(text: string, from: number, close: string): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === close && depth === 0) return at;
    if (character === '\\') at += 1;
    else if (character === '%') at = indexAfter(text, '\n', at) - 1;
    else if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    else if (character === '\n' && isBlankLineAfter(text, at)) return undefined;
    if (depth < 0) return undefined;
  }
  return undefined;
}

function isBlankLineAfter(text: string, newline: number): boolean {
  blankLine.lastIndex = newline;
  return blankLine.test(text);
}

function paragraphEnd(text: string, from: number): number {
  const blank = /\n[ \t]*\r?\n/g;
  blank.lastIndex = from;
  return blank.exec(text)?.index ?? text.length;
}

const accents: Readonly<Partial<Record<string, string>>> = {
  '`': '\u0300',
  "'": '\u0301',
  '^': '\u0302',
  '~': '\u0303',
  '=': '\u0304',
  u: '\u0306',
  '.': '\u0307',
  '"': '\u0308',
  r: '\u030a',
  H: '\u030b',
  v: '\u030c',
  c: '\u0327',
  k: '\u0328',
};

const commands: Readonly<Partial<Record<string, string>>> = {
  ss: 'ß',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  o: 'ø',
  O: 'Ø',
  aa: 'å',
  AA: 'Å',
  l: 'ł',
  L: 'Ł',
  i: 'ı',
  textbackslash: '\\',
  textasciitilde: '~',
  textasciicircum: '^',
  ldots: '…',
  dots: '…',
  textendash: '–',
  textemdash: '—',
  textquotedbl: '"',
};

/** Commands whose argument is a name and not text. */
const silent =
  /\\(?:label|ref|eqref|autoref|cref|Cref|cite[a-z]*|footnote|index|vspace|hspace)\*?\s*(?:\[[^[\]{}]*\])*\{[^{}]*\}/g;

const piece = new RegExp(
  [
    String.raw`%[^\n]*\n?\s*`,
    String.raw`\\(?<accent>[\`'^"~=.]|[uvHckr](?![A-Za-z]))\s*(?:\{(?<braced>\\?[A-Za-z])\}|(?<letter>\\?[A-Za-z]))`,
    String.raw`\\(?<name>[A-Za-z@]+)\*?(?:\{\}|\s*)`,
    String.raw`\\(?<sign>[\s\S])`,
    '(?<dash>-{2,3})',
    "(?<quote>``|'')",
    '(?<other>[{}$~])',
  ].join('|'),
  'g',
);

/** LaTeX text as typeset, on one line. */
function plainText(text: string): string {
  return text
    .replace(silent, '')
    .replace(piece, (...match) => said(match.at(-1) as Partial<Record<string, string>>))
    .replace(/\s+/g, ' ')
    .trim();
}

function said({ accent, braced, letter, name, sign, dash, quote, other }: Partial<Record<string, string>>): string {
  if (accent !== undefined)
    return `${(braced ?? letter ?? '').replace('\\', '')}${accents[accent] ?? ''}`.normalize('NFC');
  if (name !== undefined) return commands[name] ?? '';
  if (sign !== undefined) return /[\s\\,;:!/]/.test(sign) ? ' ' : sign;
  if (dash !== undefined) return dash.length === 2 ? '–' : '—';
  if (quote !== undefined) return quote === '``' ? '“' : '”';
  return other === '~' ? ' ' : '';
}

const signs: Readonly<Partial<Record<string, string>>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '-': '-{}',
  '`': '`{}',
  "'": "'{}",
};

/** Text that LaTeX displays literally, inside braces. */
export function escapedForLatex(text: string): string {
  return text.replace(/[\\~^{}%#&_$]|-(?=-)|`(?=`)|'(?=')/g, (sign) => signs[sign] ?? `\\${sign}`);
}

/** A path as a command's argument. LaTeX accepts most characters of file names unescaped. */
export function escapedForLatexPath(path: string): string {
  return path.replace(/[%#&$^{}\\]/g, '\\$&');
}

/** The path in a command's argument. Quotes around it are an old way to allow spaces. */
function unescapedPath(written: string): string {
  return written
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replace(/\\([^A-Za-z\s])/g, '$1');
}
