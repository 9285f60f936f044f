import type { ImageLink } from './imageLink';
import { imageEndings } from './imageEndings';
import { inlineTarget, type MarkdownTarget } from './markdownTarget';
import { normalLabel } from './markdownText';
import { endingOf } from './paths';
import { shortcodeAt } from './shortcodes';
import { Script } from './script';
import type { Span } from './span';
import { attributesIn, readTag, type Attribute, type Tag } from './tag';

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
