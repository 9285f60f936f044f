import { namesImage, pixelsOf, saidBy } from './html';
import { endingOf, imageEndings } from './paths';
import { type ImageLink, imageLink } from './link';
import { literal, type Span, type Written } from './scan';
import { inlineTarget, type MarkdownTarget, normalLabel } from './markdown';
import { Script } from './script';
import { type Attribute, attributesIn, readTag, type Tag } from './tag';

/** An image in a paragraph, with offsets into that paragraph. The target of a `reference` is in its definition. */
export interface InlineImage {
  readonly kind: 'inline' | 'reference' | 'embed';
  readonly element: Span;
  readonly alt: Span;
  readonly target: MarkdownTarget;
  /** Those in braces after it, as in Pandoc and kramdown. */
  readonly attributes: readonly Attribute[];
}

interface Bracket {
  readonly isImage: boolean;
  readonly start: number;
  readonly inside: number;
  /** Contains another bracket, so its text can't be a label. */
  holdsBracket: boolean;
}

const special = /[\\`<{![\]]/g;
const label = /\[((?:[^[\]\\]|\\.){0,999})\]/sy;
const attributeList = /^(\{:?)((?:[^{}"\n]|"(?:[^"\\]|\\[^])*")+)\}/;
/** In UTF-16 code units. */
const longestAttributes = 2000;
const longestLabel = 999;
/** In a table, the bar is escaped. */
const embed = /!\[\[([^[\]|#\n\\]+)(?:#[^[\]|\n\\]*)?(?:\\?\|([^[\]\n]*))?\]\]/y;
/** A description, a size, or both. */
const embedWords = /^(.*?)(?:(?:^|\\?\|)[ \t]*(\d{1,6})(?:x(\d{1,6}))?[ \t]*)?$/;

/** Reads a paragraph for its images and tags, in one pass. Skips code, comments, and what a backslash escapes. */
export class InlineReader {
  readonly images: InlineImage[] = [];
  readonly shortcodes: ImageLink[] = [];
  readonly tags: Tag[] = [];
  /** Reads what MDX has in braces. */
  readonly script: Script;
  private readonly open: Bracket[] = [];
  private lastRun: ReadonlyMap<number, number> | undefined;
  /** Constructs that never close again in this paragraph, by how they begin. */
  private readonly unclosed = new Set<'tag' | '-->' | '?>' | '>'>();

  constructor(
    private readonly text: string,
    private readonly definitions: ReadonlyMap<string, MarkdownTarget>,
    private readonly mdx: boolean,
  ) {
    this.script = new Script(text);
  }

  read(from: number): this {
    for (let at = from; ;) {
      special.lastIndex = at;
      const found = special.exec(this.text);
      if (!found) return this;
      at = this.after(found[0], found.index);
    }
  }

  /** The offset after whatever begins with a special character. */
  private after(character: string, at: number): number {
    switch (character) {
      case '\\':
        return at + 2;
      case '`':
        return this.afterCode(at);
      case '<':
        return this.afterMarkup(at);
      case '{':
        return this.mdx ? this.script.code(at + 1) : this.afterShortcode(at);
      case '!':
        if (this.text[at + 1] !== '[') return at + 1;
        return this.embedded(at) ?? this.opened(true, at, at + 2);
      case '[':
        return this.opened(false, at, at + 1);
      default:
        return this.closed(at);
    }
  }

  /** The offset after an embed of an image, as `![[fox.png|A fox|300x200]]`; undefined if there is none. */
  private embedded(start: number): number | undefined {
    embed.lastIndex = start;
    const [whole, path = '', words] = embed.exec(this.text) ?? [];
    if (whole === undefined || !imageEndings.has(endingOf(path.trim()))) return undefined;
    const end = start + whole.length;
    // In Markdown, the brackets are the description of an image.
    if (this.text[end] === '(' || this.text[end] === '[') return undefined;
    const [, alt = '', width, height] = words === undefined ? [] : (embedWords.exec(words) ?? []);
    const from = start + '![['.length + (path.length - path.trimStart().length);
    const altStart = words === undefined ? end - ']]'.length : end - ']]'.length - words.length;
    this.images.push({
      kind: 'embed',
      element: { start, end },
      alt: { start: altStart, end: altStart + alt.length },
      target: {
        address: { start: from, end: from + path.trim().length, text: path.trim() },
        ...(Number(width) > 0 && { width: Number(width) }),
        ...(Number(height) > 0 && { height: Number(height) }),
      },
      attributes: [],
    });
    return end;
  }

  private afterShortcode(at: number): number {
    const link = shortcodeAt(this.text, at);
    if (link) this.shortcodes.push(link);
    return link?.element.end ?? at + 1;
  }

  private opened(isImage: boolean, start: number, inside: number): number {
    const around = this.open.at(-1);
    if (around) around.holdsBracket = true;
    this.open.push({ isImage, start, inside, holdsBracket: false });
    return inside;
  }

  private closed(at: number): number {
    const bracket = this.open.pop();
    if (!bracket) return at + 1;
    const inline = inlineTarget(this.text, at + 1);
    const found = inline ?? this.reference(bracket, at);
    if (!found) return at + 1;
    if (!bracket.isImage) return found.end;
    // Images in an image's description aren't displayed.
    while ((this.images.at(-1)?.element.start ?? -1) >= bracket.inside) this.images.pop();
    while ((this.tags.at(-1)?.start ?? -1) >= bracket.inside) this.tags.pop();
    const list = this.attributesAt(found.end);
    const end = list ? list.end + 1 : found.end;
    this.images.push({
      kind: inline ? 'inline' : 'reference',
      element: { start: bracket.start, end },
      alt: { start: bracket.inside, end: at },
      target: found,
      attributes: list ? attributesIn(this.text, list) : [],
    });
    return end;
  }

  private reference(
    { inside, holdsBracket }: Bracket,
    close: number,
  ): (MarkdownTarget & { readonly end: number }) | undefined {
    if (this.definitions.size === 0) return undefined;
    label.lastIndex = close + 1;
    const [whole = '', name = ''] = label.exec(this.text) ?? [];
    const own = holdsBracket || close - inside > longestLabel ? undefined : this.text.slice(inside, close);
    const target = this.definitions.get(normalLabel(name === '' ? (own ?? '') : name));
    return target && { ...target, end: close + 1 + whole.length };
  }

  /** What is between the braces. */
  private attributesAt(at: number): Span | undefined {
    if (this.mdx || this.text[at] !== '{') return undefined;
    const found = attributeList.exec(this.text.slice(at, at + longestAttributes));
    return found ? { start: at + (found[1]?.length ?? 0), end: at + found[0].length - 1 } : undefined;
  }

  private afterCode(at: number): number {
    const length = runLength(this.text, at);
    this.lastRun ??= new Map([...this.text.matchAll(/`+/g)].map((run) => [run[0].length, run.index]));
    // A run that nothing closes is text. Searches for the end only if there is one.
    if ((this.lastRun.get(length) ?? -1) <= at) return at + length;
    const runs = /`+/g;
    runs.lastIndex = at + length;
    for (let run = runs.exec(this.text); run; run = runs.exec(this.text)) {
      if (run[0].length === length) return runs.lastIndex;
    }
    return at + length;
  }

  private afterMarkup(at: number): number {
    if (this.text.startsWith('<!--', at)) return this.afterClose('-->', at, at + 4);
    if (this.text.startsWith('<?', at)) return this.afterClose('?>', at, at + 2);
    if (/<!(?:[a-z]|\[CDATA\[)/iy.test(this.text.slice(at, at + 9))) return this.afterClose('>', at, at + 2);
    if (this.unclosed.has('tag')) return at + 1;
    const tag = readTag(this.text, at, { strict: true, ...(this.mdx && { braces: this.script.code }) });
    if (tag === 'unfinished') this.unclosed.add('tag');
    if (!tag || tag === 'unfinished') return at + 1;
    this.tags.push(tag);
    return tag.end;
  }

  private afterClose(close: '-->' | '?>' | '>', at: number, from: number): number {
    const found = this.unclosed.has(close) ? -1 : this.text.indexOf(close, from);
    if (found < 0) this.unclosed.add(close);
    return found < 0 ? at + 1 : found + close.length;
  }
}

function runLength(text: string, start: number): number {
  let at = start;
  while (text[at] === '`') at += 1;
  return at - start;
}

/** Longer ones aren't read, in UTF-16 code units. */
const longest = 2000;
/** Hugo's `{{< figure … >}}` and `{{% … %}}`, and the `{% image … %}` of Liquid, Nunjucks, and Hexo. */
const shortcode = /^(?:\{\{([<%])-?\s*([\w./-]+)\s+([^]*?)\s*-?\/?\1?[>%]\}\}|\{%-?\s*([\w.-]+)\s+([^]*?)\s*-?%\})/;
/** The `:nuxt-img{…}` of MDC, up to the brace. */
const component = /(?:^|[^\w:]):{1,2}([a-zA-Z][\w-]*)$/;
const braced = /^\{((?:[^{}"]|"(?:[^"\\]|\\[^])*")*)\}/;

/** The image of a site builder's shortcode or component whose brace is at an offset; undefined if it shows none. */
function shortcodeAt(text: string, at: number): ImageLink | undefined {
  const part = text.slice(at, at + longest);
  const found = shortcode.exec(part);
  if (found) {
    const [whole, , hugo, hugoWords, liquid, liquidWords] = found;
    const words = hugoWords ?? liquidWords ?? '';
    const start = at + whole.indexOf(words, whole.search(/[\w.-]/) + (hugo ?? liquid ?? '').length);
    const element = { start: at, end: at + whole.length };
    return linkOf(text, hugo ?? liquid ?? '', { start, end: start + words.length }, element);
  }
  const name = component.exec(text.slice(Math.max(0, at - 60), at))?.[1];
  const inside = name === undefined ? undefined : braced.exec(part)?.[1];
  if (name === undefined || inside === undefined) return undefined;
  const end = at + inside.length + 2;
  const start = text.slice(at - name.length - 2, at).startsWith('::') ? at - name.length - 2 : at - name.length - 1;
  return linkOf(text, name, { start: at + 1, end: end - 1 }, { start, end });
}

function linkOf(text: string, name: string, words: Span, element: Span): ImageLink | undefined {
  const attributes = attributesIn(text, words);
  const named = attributes.find((one) => namesImage(one.name) && hasImageEnding(text, one));
  if (named) return shortcodeLink(element, literal(text, named), saidBy(text, { attributes }, ['alt', 'caption']));
  // By position: a path, then perhaps its size, and its description.
  if (!/^(?:figure|fig|asset_img)$/.test(name) && !namesImage(name)) return undefined;
  const at = attributes.findIndex((one) => one.name === '' && hasImageEnding(text, one));
  const path = attributes[at];
  // Only words for its style come before it: anything else may be the path, and what looks like one the description.
  if (!path || !attributes.slice(0, at).every((one) => /^[\w-]+$/.test(labelOf(text, one)))) return undefined;
  const after = attributes.slice(at + 1).filter((one) => one.name === '' && one.value);
  const [width, height] = after.map((one) => pixelsOf(labelOf(text, one)));
  const alt = describing(text, after);
  return shortcodeLink(element, literal(text, path), {
    ...(alt && { alt }),
    ...(width !== undefined && { width }),
    ...(width !== undefined && height !== undefined && { height }),
  });
}

function shortcodeLink(element: Span, address: Written | undefined, said: Partial<ImageLink>): ImageLink | undefined {
  return address && imageLink({ kind: 'shortcode', syntax: 'markdown', element, address, ...said });
}

/** The first text in quotes, else all words that aren't numbers. */
function describing(text: string, after: readonly Attribute[]): Written | undefined {
  const quoted = after.find(({ quote }) => quote !== '');
  if (quoted) return literal(text, quoted);
  const words = after.filter((one) => pixelsOf(labelOf(text, one)) === undefined);
  const [first, last] = [words[0]?.value, words.at(-1)?.value];
  if (!first || !last) return undefined;
  return { start: first.start, end: last.end, text: text.slice(first.start, last.end).replace(/\s+/g, ' ') };
}

function hasImageEnding(text: string, one: Attribute): boolean {
  return imageEndings.has(endingOf(labelOf(text, one).replace(/[?#].*$/s, '')));
}

function labelOf(text: string, { value }: Attribute): string {
  return value ? text.slice(value.start, value.end) : '';
}
