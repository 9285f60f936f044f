import { endingOf, imageEndings } from './paths';
import { imageLink, type ImageLink } from './link';
import { linesOf, type Span, type Written } from './scan';
import { namesImage, normalName } from './html';

/** The fields of one map or table, by their normal names. */
interface Fields {
  /** The name of the field that holds it; '' at the top level. */
  readonly under: string;
  readonly column: number;
  readonly values: Map<string, Written>;
  last: string;
}

/** A value that names an image, with what it belongs to. */
interface Named {
  readonly fields: Fields;
  readonly name: string;
  readonly value: Written;
  readonly element: Span;
}

/** The offset after the front matter; 0 if there is none. */
export function frontMatterEnd(text: string): number {
  const fence = /^(---|\+\+\+)[ \t]*\r?\n/.exec(text)?.[1];
  if (fence === undefined) return 0;
  const end = fence === '---' ? /^(?:---|\.\.\.)[ \t]*\r?$/gm : /^\+\+\+[ \t]*\r?$/gm;
  end.lastIndex = 4;
  return end.test(text) ? end.lastIndex : 0;
}

/**
 * The images that front matter names in YAML or TOML, in fields such as `image`, `cover`, or `thumbnail`, with the
 * description next to them.
 */
export function frontMatterLinks(text: string, end: number): ImageLink[] {
  const reader = new FieldReader(text, text.startsWith('+++'));
  for (const line of linesOf(text.slice(0, end))) reader.line(line);
  return reader.named.map(({ fields, name, value, element }) => {
    const own = [`${name}-alt`, `${name}-caption`];
    // At the top level, these describe the document.
    const names = fields.under === '' ? own : [...own, 'alt', 'caption'];
    const [alt] = names.flatMap((one) => fields.values.get(one) ?? []);
    return imageLink({ kind: 'field', syntax: 'markdown', element, address: value, ...(alt && { alt }) });
  });
}

const tomlTable = /^\[{1,2}\s*([^\]]+?)\s*\]{1,2}\s*(?:#.*)?$/;
const startOfLine = /^([ \t]*)((?:-[ \t]+)*)/;
const field = /^(["']?)([\w.-]+)\1[ \t]*[:=](?=[ \t]|$)[ \t]*/;
const blockScalar = /^[|>][-+\d]*[ \t]*(?:#.*)?$/;
/** Longer lines aren't fields, in UTF-16 code units. */
const longestLine = 2000;

class FieldReader {
  readonly named: Named[] = [];
  private open: Fields[] = [fieldsUnder('', 0)];
  /** The column of the field whose text continues in the lines that are indented deeper. */
  private textOf: number | undefined;
  private inTomlText: string | undefined;

  constructor(
    private readonly text: string,
    private readonly isToml: boolean,
  ) {}

  line({ start, end }: Span): void {
    const content = this.text.slice(start, end).trimEnd();
    if (content.length > longestLine || this.isContinued(content)) return;
    const [before = '', indent = '', dashes = ''] = startOfLine.exec(content) ?? [];
    const rest = content.slice(before.length);
    if (rest === '' || rest.startsWith('#')) return;
    const table = this.isToml ? tomlTable.exec(rest)?.[1] : undefined;
    if (table !== undefined) {
      this.open = [fieldsUnder(normalName(table.split('.').at(-1) ?? ''), 0)];
      return;
    }
    const column = indent.length;
    while (this.open.length > 1 && this.here.column > column) this.open.pop();
    const isNested = dashes !== '' || (!this.isToml && this.here.column < column);
    if (isNested) this.open.push(fieldsUnder(this.here.last, column + dashes.length));
    this.entry(rest, start + before.length, column);
  }

  private get here(): Fields {
    return this.open.at(-1) ?? fieldsUnder('', 0);
  }

  private isContinued(content: string): boolean {
    if (this.inTomlText !== undefined) {
      if (content.includes(this.inTomlText)) this.inTomlText = undefined;
      return true;
    }
    if (this.textOf === undefined) return false;
    if (content === '' || content.length - content.trimStart().length > this.textOf) return true;
    this.textOf = undefined;
    return false;
  }

  private entry(rest: string, start: number, column: number): void {
    const { here } = this;
    const [before = '', , name] = field.exec(rest) ?? [];
    const value = rest.slice(before.length);
    if (name !== undefined) here.last = normalName(name);
    if (blockScalar.test(value)) this.textOf = column;
    const [long] = /^(?:"""|''')/.exec(value) ?? [];
    if (long !== undefined && !value.slice(3).includes(long)) this.inTomlText = long;
    const at = start + before.length;
    const single = valueOf(value, at);
    if (!single) return this.flow(value, at, here);
    const key = name === undefined ? here.under : here.last;
    if (name !== undefined && !here.values.has(key)) here.values.set(key, single);
    // Up to its quote, without a comment.
    const end = /["']/.test(value.charAt(0)) ? single.end + 1 : single.end;
    this.add({ fields: here, name: key, value: single, element: name === undefined ? spanOf(single) : { start, end } });
  }

  /** A list or map within one line: `[a.png, b.png]`, `{src: a.png, alt: A fox}`. */
  private flow(value: string, at: number, here: Fields): void {
    if (!/^[[{]/.test(value) || /\{\{|\$\{/.test(value)) return;
    const inner = value.startsWith('{') ? fieldsUnder(here.last, 0) : here;
    for (const found of value.matchAll(flowItem)) {
      const [whole, name, quoted, plain = ''] = found;
      const written = quoted ?? plain.trimEnd();
      const from = at + found.index + whole.length - (quoted === undefined ? plain.length : quoted.length + 1);
      const item = { start: from, end: from + written.length, text: written };
      const key = name === undefined ? here.last : normalName(name);
      if (name !== undefined) inner.values.set(key, item);
      this.add({ fields: inner, name: key, value: item, element: spanOf(item) });
    }
  }

  private add(named: Named): void {
    const { fields, name, value } = named;
    const isNamed = namesImage(name) || (/^(?:url|path|file|href)$/.test(name) && namesImage(fields.under));
    const path = value.text.replace(/[?#].*$/s, '');
    if (isNamed && imageEndings.has(endingOf(path))) this.named.push(named);
  }
}

const flowItem =
  /(?:["']?([\w.-]+)["']?[ \t]*[:=][ \t]*)?(?:"((?:[^"\\]|\\.)*)"|([^\s,{}[\]"':=#](?:[^,{}[\]"'\n]*[^\s,{}[\]"'\n])?))/g;

/** A value alone on its line; undefined for a list, a map, or a reference. */
function valueOf(value: string, at: number): Written | undefined {
  const [, quote, quoted] = /^(["'])((?:(?!\1)[^\\]|\\.)*)\1[ \t]*(?:#.*)?$/.exec(value) ?? [];
  if (quoted !== undefined) {
    const text = quote === '"' ? quoted.replace(/\\(["\\/])/g, '$1') : quoted;
    return { start: at + 1, end: at + 1 + quoted.length, text };
  }
  const bare = value.replace(/[ \t]#.*$/, '').trimEnd();
  return bare === '' || /^[[{"'&*!|>%@`]/.test(bare) ? undefined : { start: at, end: at + bare.length, text: bare };
}

function fieldsUnder(under: string, column: number): Fields {
  return { under, column, values: new Map(), last: '' };
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}
