import { namesImage, saidBy, tagLinks } from './html';
import { endingOf, imageEndings } from './paths';
import { imageLink, type ImageLink } from './link';
import { indexAfter, sliceOf, type Span, stringDecoded, stringEnd } from './scan';
import type { Syntax } from './syntax';
import { readTag, type Tag } from './tag';

/**
 * A file that a script imports or asks the site's root for: `import hero from './hero.png'`, `require('./hero.png')`,
 * `useBaseUrl('/hero.png')`.
 */
interface FileImport {
  /** The statement, or the call. */
  readonly element: Span;
  /** The text between the quotes. */
  readonly path: Span;
  /** The path begins at the site's root, with or without a slash. */
  readonly isFromRoot: boolean;
  /** The script's name for the file: `import name from`, `name = require`. */
  readonly name?: string;
}

/** Words that an expression follows, so that `<` opens a tag and `/` a regular expression. */
const beforeExpression = new Set(
  'return typeof case in of delete void do else yield await default instanceof new throw export extends'.split(' '),
);

const word = /[\w$\u0080-\uffff]+/y;
const markupStart = /[<{]/g;
const closingTag = /<\/([\w.:$-]*)/g;

/** No real script nests deeper than this. */
const deepest = 400;

/**
 * Reads JavaScript and TypeScript, with JSX, for tags and imported files. Recognizes strings, templates, regular
 * expressions, and comments, and otherwise skips them. It isn't a parser, accepts half-typed text, and takes one pass.
 */
export class Script {
  readonly tags: Tag[] = [];
  readonly imports: FileImport[] = [];
  private at = 0;
  private depth = 0;
  /** The last token is a value, so `<` compares and `/` divides. */
  private afterValue = false;
  private lastWord = '';
  private lastWordAt = 0;
  /** The text before the last `=`, if only words follow it. */
  private assigned = '';
  private noPatternUpTo = 0;
  private importing: { readonly start: number; name?: string } | undefined;
  private lastClosing: ReadonlyMap<string, number> | undefined;

  constructor(private readonly text: string) {}

  /** Reads the complete text. An extra closing brace doesn't end it. */
  read(): this {
    while (this.at < this.text.length) this.code(this.at);
    return this;
  }

  /** Reads code from inside a brace. Returns the offset after the closing brace, or the end of the text. */
  readonly code = (inside: number): number => {
    this.at = inside;
    this.afterValue = false;
    this.enter();
    while (this.at < this.text.length) {
      if (this.text[this.at] === '}') {
        this.at += 1;
        break;
      }
      this.token();
    }
    this.depth -= 1;
    return this.at;
  };

  private enter(): void {
    this.depth += 1;
    if (this.depth > deepest) this.at = this.text.length;
  }

  private token(): void {
    const character = this.text.charAt(this.at);
    switch (character) {
      case '"':
      case "'":
        return this.quoted();
      case '`':
        return this.template();
      case '/':
        return this.slash();
      case '<':
        return this.lessThan();
      case '{':
        this.code(this.at + 1);
        this.afterValue = false;
        return;
      default:
        return this.wordOrSign(character);
    }
  }

  private wordOrSign(character: string): void {
    word.lastIndex = this.at;
    if (word.test(this.text)) return this.wordUpTo(word.lastIndex);
    this.at += 1;
    if (/\s/.test(character)) return;
    this.afterValue = character === ')' || character === ']';
    if (character !== '*' && character !== ',') this.importing = undefined;
    if (character === '(') return;
    this.assigned = character === '=' ? this.lastWord : '';
    this.lastWord = '';
  }

  private wordUpTo(end: number): void {
    const found = this.text.slice(this.at, end);
    if (found === 'import') this.importing = { start: this.at };
    else if (this.importing && found !== 'type' && found !== 'from') this.importing.name ??= found;
    this.lastWord = found;
    this.lastWordAt = this.at;
    this.afterValue = !beforeExpression.has(found);
    this.at = end;
  }

  private quoted(): void {
    const start = this.at;
    this.at = stringEnd(this.text, start);
    this.afterValue = true;
    const path = { start: start + 1, end: this.at - 1 };
    if (this.importing && this.lastWord === 'from') {
      const end = this.text[this.at] === ';' ? this.at + 1 : this.at;
      const element = { start: this.importing.start, end };
      this.imports.push({ element, path, name: this.importing.name, isFromRoot: false });
    } else if (this.lastWord === 'require' || this.lastWord === 'useBaseUrl') {
      const close = /\s*\)/y;
      close.lastIndex = this.at;
      if (close.test(this.text)) {
        const name = this.assigned === '' ? undefined : this.assigned;
        const element = { start: this.lastWordAt, end: close.lastIndex };
        this.imports.push({ element, path, name, isFromRoot: this.lastWord === 'useBaseUrl' });
      }
    }
    this.importing = undefined;
    this.lastWord = '';
  }

  private template(): void {
    this.enter();
    this.at += 1;
    while (this.at < this.text.length) {
      const character = this.text[this.at];
      if (character === '`') {
        this.at += 1;
        break;
      }
      if (character === '\\') this.at += 2;
      else if (character === '$' && this.text[this.at + 1] === '{') this.code(this.at + 2);
      else this.at += 1;
    }
    this.depth -= 1;
    this.afterValue = true;
  }

  private slash(): void {
    const next = this.text[this.at + 1];
    if (next === '/') this.at = indexAfter(this.text, '\n', this.at);
    else if (next === '*') this.at = indexAfter(this.text, '*/', this.at + 2);
    else {
      const end = this.afterValue || this.at < this.noPatternUpTo ? undefined : this.patternEnd();
      this.at = end ?? this.at + 1;
      this.afterValue = end !== undefined;
    }
  }

  /** The offset after a regular expression; undefined if the line ends first, as then for anything else on it. */
  private patternEnd(): number | undefined {
    let inClass = false;
    let at = this.at + 1;
    for (; at < this.text.length; at += 1) {
      const character = this.text[at];
      if (character === '\n') break;
      if (character === '\\') at += 1;
      else if (character === '[') inClass = true;
      else if (character === ']') inClass = false;
      else if (character === '/' && !inClass) return at + 1;
    }
    this.noPatternUpTo = at;
    return undefined;
  }

  private lessThan(): void {
    if (this.afterValue || !this.element()) {
      this.at += 1;
      this.afterValue = false;
    }
  }

  /** Reads an element with its content, if one begins here. */
  private element(): boolean {
    const start = this.at;
    if (this.text.startsWith('<>', start)) {
      this.at += 2;
      this.children();
      return true;
    }
    const tag = readTag(this.text, start, { braces: this.code });
    if (tag === 'unfinished') {
      this.at = this.text.length;
      return true;
    }
    // `<T extends Shape>(…)` has a function's type parameters.
    if (!tag || tag.closing || tag.attributes[0]?.name === 'extends') {
      this.at = start;
      return false;
    }
    this.tags.push(tag);
    this.at = tag.end;
    if (!tag.selfClosing && this.closesAfter(tag)) this.children();
    this.afterValue = true;
    return true;
  }

  /** Reads the content between tags, up to the closing tag. */
  private children(): void {
    this.enter();
    while (this.at < this.text.length) {
      markupStart.lastIndex = this.at;
      const found = markupStart.exec(this.text);
      this.at = found?.index ?? this.text.length;
      if (!found) break;
      if (found[0] === '{') this.code(this.at + 1);
      else if (this.text[this.at + 1] === '/') {
        this.at = indexAfter(this.text, '>', this.at);
        break;
      } else if (!this.element()) this.at += 1;
    }
    this.depth -= 1;
    this.afterValue = true;
  }

  /** A type in angle brackets and a half-typed tag are never closed, and mustn't swallow what follows. */
  private closesAfter({ name, end }: Tag): boolean {
    this.lastClosing ??= new Map([...this.text.matchAll(closingTag)].map((match) => [match[1] ?? '', match.index]));
    return (this.lastClosing.get(name) ?? -1) >= end;
  }
}

/** The images of a script: those of its tags and of its imports. */
export function scriptLinks(text: string, syntax: Syntax): ImageLink[] {
  return linksOf(text, new Script(text).read(), syntax);
}

/** The images of a script; `around` holds the document's tags that were read before it. */
export function linksOf(
  text: string,
  { tags, imports }: Script,
  syntax: Syntax,
  around: readonly Tag[] = [],
): ImageLink[] {
  if (tags.length === 0 && imports.length === 0) return [];
  const showing = tagsShowing(imports.length === 0 ? [] : [...around, ...tags], imports);
  return [
    ...tagLinks(text, tags, syntax),
    ...imports
      .map((one) => importLink(text, one, syntax, showing.get(one)))
      .filter(({ path }) => imageEndings.has(endingOf(path))),
  ];
}

/** `tag` is the one with the call: `<img src={require('./hero.png')}>`. */
function importLink(
  text: string,
  { element, path, name, isFromRoot }: FileImport,
  syntax: Syntax,
  tag?: Tag,
): ImageLink {
  const address = { ...path, text: stringDecoded(sliceOf(text, path)) };
  const kind = isFromRoot ? 'value' : 'import';
  const link = imageLink({
    ...{ kind, syntax, element, address, ...(name !== undefined && { name }) },
    ...(tag && saidBy(text, tag)),
  });
  return isFromRoot ? { ...link, path: `/${link.path.replace(/^\//, '')}` } : link;
}

/** The tags with a file in an expression for what they show. */
function tagsShowing(tags: readonly Tag[], imports: readonly FileImport[]): ReadonlyMap<FileImport, Tag> {
  const values = tags
    .flatMap((tag) =>
      tag.attributes.flatMap(({ name, quote, value }) =>
        value && quote === '{' && namesImage(name) ? [{ tag, ...value }] : [],
      ),
    )
    .sort((a, b) => a.start - b.start);
  const showing = new Map<FileImport, Tag>();
  let at = 0;
  for (const one of imports.toSorted((a, b) => a.element.start - b.element.start)) {
    while (at + 1 < values.length && (values[at + 1]?.start ?? 0) <= one.element.start) at += 1;
    const value = values[at];
    if (value && value.start <= one.element.start && one.element.end <= value.end) showing.set(one, value.tag);
  }
  return showing;
}

/** Links without tags that show an import by name. The import gets the description of the first such tag. */
export function withoutUses(links: readonly ImageLink[]): ImageLink[] {
  const uses = new Map<string, ImageLink>();
  for (const link of links) if (isUse(link) && !uses.has(link.name)) uses.set(link.name, link);
  return links
    .filter((link) => !isUse(link))
    .map((link) => {
      const use = link.name === undefined ? undefined : uses.get(link.name);
      return use ? { ...link, ...said(use) } : link;
    });
}

function isUse(link: ImageLink): link is ImageLink & { readonly name: string } {
  return link.kind === 'tag' && link.name !== undefined;
}

function said({ alt, title, width, height }: ImageLink): Partial<ImageLink> {
  return {
    ...(alt && { alt }),
    ...(title && { title }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
}
