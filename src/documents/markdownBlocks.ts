import { frontMatterEnd } from './frontMatter';
import { linesOf, type Span } from './scan';
import { Script } from './script';
import { readTag } from './tag';

/**
 * A block of Markdown that can contain images, as the parts of its lines without container markers (`> `, `- `). `text`
 * is a paragraph, heading, or table; `html` a block of HTML; `script` the imports and exports of MDX; `directive` an
 * image or figure of MyST with its fences. Code doesn't count.
 */
export interface Block {
  readonly kind: 'text' | 'html' | 'script' | 'directive';
  readonly lines: readonly Span[];
}

/** A container that a line is in: a quote, or a list item with the width of its marker. */
type Container = 'quote' | number;

/** A block that continues from line to line until something ends it. */
type Leaf =
  | { readonly kind: 'text' | 'script'; readonly lines: Span[] }
  | { readonly kind: 'html'; readonly lines: Span[]; readonly ends: RegExp | undefined }
  /** With lines, it's a directive. */
  | { readonly kind: 'fence'; readonly mark: string; readonly lines: Span[] | undefined };

/** How an HTML block begins and ends; without an end, at a blank line. The order is CommonMark's. */
const htmlStarts: readonly (readonly [begins: RegExp, ends: RegExp | undefined])[] = [
  [/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
  [
    /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$)/i,
    undefined,
  ],
];
/** A tag alone on its line. Unlike the others, it doesn't interrupt a paragraph. */
const loneTag = /^<\/?[a-z][a-z0-9-]*(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?>\s*$/i;

/** Quotes and lists nested deeper than this are read as text. */
const deepest = 50;

/** What containers begin with, and blocks that aren't paragraphs; in MDX, also `import` and `export`. */
const containerStarts = new Set('>-+*!?=0123456789');
const leafStarts = new Set('`~:=-*_#<{ie');

const thematicBreak = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const heading = /^#{1,6}(?:\s|$)/;
const setextUnderline = /^(?:=+|-+)[ \t]*$/;
const listMarker = /^(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/;
const fenceStart = /^(?:(`{3,})[^`]*|(~{3,}).*|(:{3,})\{(?:figure|image)\}[ \t].*)$/;
const imageDirective = /^(?:`{3,}|~{3,}|:{3,})\{(?:figure|image)\}[ \t]+\S/;
/** Admonitions, collapsed blocks, and tabs of Material for MkDocs, whose content is indented. */
const indentedBlock = /^(?:(?:!!!|\?\?\?\+?)[ \t]+[a-z]|===[!+]?[ \t]+["'])/;
/** A block of HTML whose content is Markdown. */
const markdownInside = /^<[a-z][^<>]*\smarkdown(?:[\s=>]|$)/i;

/** Splits a document into blocks as CommonMark does. With `mdx`, there is no indented code and no HTML block. */
export function markdownBlocks(text: string, mdx: boolean): Block[] {
  const reader = new BlockReader(text, mdx);
  const front = frontMatterEnd(text);
  for (const line of linesOf(text)) if (line.start >= front) reader.line(line);
  return reader.end();
}

class BlockReader {
  private readonly blocks: Block[] = [];
  private open: Container[] = [];
  private leaf: Leaf | undefined;
  /** Lines that begin before this offset belong to an MDX expression. */
  private readUpTo = 0;
  /** Lines that begin before this offset continue an MDX tag, whatever they look like. */
  private tagUpTo = 0;
  private tagsAreOver = false;
  private readonly script: Script;
  /** The position in the line, and its column with tabs expanded. */
  private at = 0;
  private column = 0;
  private lineEnd = 0;

  constructor(
    private readonly text: string,
    private readonly mdx: boolean,
  ) {
    this.script = new Script(text);
  }

  end(): Block[] {
    this.close();
    return this.blocks;
  }

  line({ start, end }: Span): void {
    if (start < this.readUpTo) return;
    this.at = start;
    this.lineEnd = end;
    this.column = 0;
    if (start < this.tagUpTo) return this.addText();
    const kept = this.containersKept();
    if (kept === this.open.length && this.goesOn()) return;
    const started = this.startContainers(kept);
    if (!started && kept < this.open.length && this.continuesLazily()) return;
    if (!started && kept < this.open.length) {
      this.close();
      this.open.length = kept;
    }
    this.startLeaf();
  }

  /** How many of the open containers this line continues. */
  private containersKept(): number {
    let kept = 0;
    for (const container of this.open) {
      if (container === 'quote') {
        if (this.indent() > 3 || !this.takeQuoteMarker()) break;
      } else if (!this.isBlank()) {
        if (this.indent() < container) break;
        this.skipColumns(container);
      }
      kept += 1;
    }
    return kept;
  }

  /** Adds the line to the open leaf if that continues regardless of the line's content. */
  private goesOn(): boolean {
    const { leaf } = this;
    if (leaf?.kind === 'fence') {
      // Without indented code, a closing fence may be indented as far as its content.
      const isNear = this.mdx || this.indent() <= 3;
      leaf.lines?.push(this.restSpan());
      if (isNear && closesFence(this.rest().trim(), leaf.mark)) this.close();
      return true;
    }
    if (leaf?.kind === 'html') {
      if (!leaf.ends && this.isBlank()) return false;
      leaf.lines.push(this.restSpan());
      if (leaf.ends?.test(this.rest())) this.close();
      return true;
    }
    if (leaf?.kind === 'script' && !this.isBlank()) {
      leaf.lines.push(this.restSpan());
      return true;
    }
    return false;
  }

  /** Opens the quotes and lists that begin on this line. */
  private startContainers(kept: number): boolean {
    let started = false;
    for (;;) {
      if ((this.indent() > 3 && !this.mdx) || this.open.length >= deepest) return started;
      const inParagraph = !started && kept === this.open.length && this.leaf?.kind === 'text';
      const container = this.newContainer(inParagraph);
      if (container === undefined) return started;
      if (!started) {
        this.close();
        this.open.length = kept;
      }
      this.open.push(container);
      started = true;
    }
  }

  private newContainer(inParagraph: boolean): Container | undefined {
    if (this.beginsWithNone(containerStarts)) return undefined;
    const indent = this.indent();
    if (this.takeQuoteMarker()) return 'quote';
    const rest = this.rest().trimStart();
    if (!this.mdx && !inParagraph && indentedBlock.test(rest)) {
      this.at = this.lineEnd;
      return indent + 4;
    }
    const marker = listMarker.exec(rest);
    if (!marker || thematicBreak.test(rest.trimEnd())) return undefined;
    const isEmpty = rest.trim() === marker[0];
    if (inParagraph && (isEmpty || (marker[1] !== undefined && Number(marker[1]) !== 1))) return undefined;
    this.skipColumns(indent);
    this.at += marker[0].length;
    this.column += marker[0].length;
    const padding = this.indent();
    const taken = isEmpty || padding > 4 ? 1 : padding;
    this.skipColumns(taken);
    return indent + marker[0].length + taken;
  }

  /** A paragraph continues without its containers' markers if nothing else begins on the line. */
  private continuesLazily(): boolean {
    if (this.leaf?.kind !== 'text' || this.isBlank()) return false;
    if (this.indent() <= 3 && this.beginsOther(this.rest().trim())) return false;
    this.leaf.lines.push(this.restSpan());
    return true;
  }

  private beginsOther(rest: string): boolean {
    return (
      fenceStart.test(rest) || thematicBreak.test(rest) || heading.test(rest) || this.htmlStart(rest) !== undefined
    );
  }

  /** Begins or continues a block that isn't a container. */
  private startLeaf(): void {
    if (this.isBlank()) return this.close();
    const isParagraph = this.leaf?.kind === 'text';
    if (this.indent() > 3 && !this.mdx) {
      if (isParagraph) this.addText();
      return;
    }
    if (this.beginsWithNone(leafStarts)) return this.addText();
    const rest = this.rest().trim();
    const fence = fenceStart.exec(rest);
    if (fence) return this.startFence(fence[1] ?? fence[2] ?? fence[3] ?? '', imageDirective.test(rest));
    if (isParagraph && setextUnderline.test(rest)) return this.close();
    if (thematicBreak.test(rest)) return this.close();
    if (heading.test(rest)) {
      this.close();
      this.addText();
      return this.close();
    }
    if (this.mdx && !isParagraph && this.open.length === 0 && this.startScript(rest)) return;
    const html = this.htmlStart(rest);
    const isMarkdown = !this.mdx && markdownInside.test(rest);
    if (html && !isMarkdown) return this.startHtml(html[1]);
    if (!isParagraph && !this.mdx && !isMarkdown && loneTag.test(rest)) return this.startHtml(undefined);
    this.addText();
    if (this.mdx && rest.startsWith('<')) this.readOnWithTag();
  }

  /** Imports and exports extend to a blank line, an expression to its closing brace. */
  private startScript(rest: string): boolean {
    if (this.column === 0 && /^(?:import|export)\b/.test(rest)) {
      this.leaf = { kind: 'script', lines: [this.restSpan()] };
      return true;
    }
    if (!rest.startsWith('{')) return false;
    const start = this.text.indexOf('{', this.at);
    const end = this.script.code(start + 1);
    // With words after it, it's part of a paragraph.
    if (/[^\S\n]*\S/y.test(this.text.slice(end, end + 80))) return false;
    this.readUpTo = end;
    this.blocks.push({ kind: 'script', lines: [{ start, end }] });
    return true;
  }

  private readOnWithTag(): void {
    if (this.tagsAreOver) return;
    const start = this.text.indexOf('<', this.at);
    const tag = readTag(this.text, start, { strict: true, braces: this.script.code });
    if (tag === 'unfinished') this.tagsAreOver = true;
    else if (tag) this.tagUpTo = tag.end;
  }

  private startFence(mark: string, isDirective: boolean): void {
    this.close();
    this.leaf = { kind: 'fence', mark, lines: isDirective ? [this.restSpan()] : undefined };
  }

  private htmlStart(rest: string): (typeof htmlStarts)[number] | undefined {
    // Of HTML, MDX keeps only comments, for those who are used to them.
    if (!rest.startsWith('<')) return undefined;
    return htmlStarts.find(([begins], index) => (!this.mdx || index === 1) && begins.test(rest));
  }

  private startHtml(ends: RegExp | undefined): void {
    this.close();
    this.leaf = { kind: 'html', lines: [this.restSpan()], ends };
    if (ends?.test(this.rest())) this.close();
  }

  private addText(): void {
    if (this.leaf?.kind === 'text') this.leaf.lines.push(this.restSpan());
    else {
      this.close();
      this.leaf = { kind: 'text', lines: [this.restSpan()] };
    }
  }

  private close(): void {
    if (this.leaf?.lines)
      this.blocks.push({ kind: this.leaf.kind === 'fence' ? 'directive' : this.leaf.kind, lines: this.leaf.lines });
    this.leaf = undefined;
  }

  private takeQuoteMarker(): boolean {
    const indent = this.indent();
    let at = this.at;
    while (isGap(this.text[at])) at += 1;
    if (indent > 3 || at >= this.lineEnd || this.text[at] !== '>') return false;
    this.at = at + 1;
    this.column += indent + 1;
    this.skipColumns(1);
    return true;
  }

  /** The width of the white space before the rest of the line, in columns. */
  private indent(): number {
    let column = this.column;
    for (let at = this.at; at < this.lineEnd && isGap(this.text[at]); at += 1) column = this.columnAfter(at, column);
    return column - this.column;
  }

  private skipColumns(count: number): void {
    const until = this.column + count;
    while (this.column < until && this.at < this.lineEnd && isGap(this.text[this.at])) {
      this.column = this.columnAfter(this.at, this.column);
      this.at += 1;
    }
  }

  private columnAfter(at: number, column: number): number {
    return this.text[at] === '\t' ? column + 4 - (column % 4) : column + 1;
  }

  private isBlank(): boolean {
    return !isVisible(this.firstCharacter()) && this.rest().trim() === '';
  }

  /** Whether the rest of the line certainly begins with none of these characters, as most lines of text do. */
  private beginsWithNone(characters: ReadonlySet<string>): boolean {
    const first = this.firstCharacter();
    return isVisible(first) && !characters.has(first);
  }

  /** The next character of the line that isn't a space or tab; '' if there is none. */
  private firstCharacter(): string {
    let { at } = this;
    while (at < this.lineEnd && isGap(this.text[at])) at += 1;
    return at < this.lineEnd ? this.text.charAt(at) : '';
  }

  private rest(): string {
    return this.text.slice(this.at, this.lineEnd);
  }

  private restSpan(): Span {
    return { start: this.at, end: this.lineEnd };
  }
}

/** A closing fence has the same character and at least the same length. */
function closesFence(rest: string, mark: string): boolean {
  return rest.startsWith(mark) && /^(?:`+|~+|:+)$/.test(rest);
}

/** Quicker to tell than white space. */
function isVisible(character: string): boolean {
  return character > ' ' && character < '\x7f';
}

function isGap(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}
