import { frontMatterEnd } from './frontMatter';
import { endingOf, imageEndings } from './paths';
import { type ImageLink, imageLink, shifted } from './link';
import {
  append,
  indexAfter,
  literal,
  sliceOf,
  type Span,
  stringDecoded,
  stringEnd,
  withoutEnd,
  type Written,
} from './scan';
import { Script, scriptLinks } from './script';
import type { Syntax } from './syntax';
import { type Attribute, type Attributed, readTag, type Tag, type TagDialect } from './tag';

/** HTML, and the languages that extend it with components and compiled scripts. */
export type MarkupSyntax = 'html' | 'vue' | 'svelte' | 'astro';

/** Elements whose text isn't HTML. */
const raw = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

/** Parts to skip, by how they begin and end. */
const passedOver: readonly (readonly [begins: string, ends: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<!', '>'],
  ['<?', '?>'],
  ['<%', '%>'],
];

/** The images of HTML and its styles; in Vue and Svelte, also those that its scripts import. */
export function markupLinks(text: string, syntax: MarkupSyntax): ImageLink[] {
  const links: ImageLink[] = [];
  const tags: Tag[] = [];
  const script = new Script(text);
  const hasBraces = syntax === 'svelte' || syntax === 'astro';
  const dialect: TagDialect = hasBraces ? { braces: script.code } : {};
  const next = hasBraces ? /[<{]/g : /</g;
  const front = syntax === 'astro' ? frontMatterEnd(text) : 0;
  // Astro's is a script.
  if (front > 0)
    append(
      links,
      scriptLinks(text.slice('---'.length, front - '---'.length), syntax).map((link) => shifted(link, '---'.length)),
    );
  for (let at = front; ;) {
    next.lastIndex = at;
    const found = next.exec(text);
    if (!found) break;
    at = found.index;
    const passed = passedOver.find(([begins]) => text.startsWith(begins, at));
    if (passed) at = indexAfter(text, passed[1], at + passed[0].length);
    else if (found[0] === '{') at = script.code(/[#:/@]/.test(text[at + 1] ?? '') ? at + 2 : at + 1);
    else {
      const tag = readTag(text, at, dialect);
      if (tag === 'unfinished') break;
      at = tag?.end ?? at + 1;
      if (!tag) continue;
      tags.push(tag);
      const name = tag.name.toLowerCase();
      if (tag.closing || tag.selfClosing || !raw.has(name)) continue;
      const inside = { start: tag.end, end: closingTag(text, name, tag.end) };
      append(links, linksInside(text, tag, inside, syntax));
      at = inside.end;
    }
  }
  // In Astro, braces hold more of the page.
  if (syntax === 'astro') append(tags, script.tags);
  return [...tagLinks(text, tags, syntax), ...links];
}

/** The images in an element whose text isn't HTML. */
function linksInside(text: string, tag: Tag, inside: Span, syntax: MarkupSyntax): ImageLink[] {
  const name = tag.name.toLowerCase();
  const content = sliceOf(text, inside);
  const here = (link: ImageLink) => shifted(link, inside.start);
  if (name === 'style') {
    const language = attribute(tag, 'lang');
    const isPlain = !language || literal(text, language)?.text === 'css';
    return styleLinks(content, isPlain ? 'css' : 'scss').map(here);
  }
  return name === 'script' && syntax !== 'html' ? scriptLinks(content, syntax).map(here) : [];
}

function closingTag(text: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}`, 'gi');
  closing.lastIndex = from;
  return closing.exec(text)?.index ?? text.length;
}

/** The parts of a style sheet that matter here. Each search starts where the previous match ended. */
const token = /\/\*|\/\/|["']|@font-face\b|\b(?:url|image-set)\(\s*|[()]/gi;
const unquotedEnd = /[\s)"'(]/g;

/**
 * The images of a style sheet: `url(…)` except of fonts, and the plain strings of `image-set(…)`. SCSS and Less also
 * have line comments.
 */
export function styleLinks(text: string, syntax: 'css' | 'scss'): ImageLink[] {
  const links: ImageLink[] = [];
  const add = (element: Span, address: Written) => links.push(imageLink({ kind: 'url', syntax, element, address }));
  /** The function of each open parenthesis. `type("image/avif")` inside a set names no image. */
  const open: ('set' | 'other')[] = [];
  for (let at = 0; ;) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (!found) return links;
    const [what] = found;
    const start = found.index;
    at = token.lastIndex;
    if (what === '/*') at = indexAfter(text, '*/', at);
    else if (what === '//') at = syntax === 'scss' ? indexAfter(text, '\n', at) : at;
    else if (what.startsWith('@')) at = indexAfter(text, '}', at);
    else if (what === ')') open.pop();
    else if (what === '(') open.push('other');
    else if (what === '"' || what === "'") {
      at = stringEnd(text, start);
      if (open.at(-1) === 'set') add({ start, end: at }, written(text, start + 1, at - 1));
    } else if (/^i/i.test(what)) open.push('set');
    else {
      const address = urlValue(text, at);
      at = indexAfter(text, ')', address.end);
      add({ start, end: at }, address);
    }
  }
}

/** The value inside `url(`, quoted or not. */
function urlValue(text: string, at: number): Written {
  if (text[at] === '"' || text[at] === "'") return written(text, at + 1, Math.max(at + 1, stringEnd(text, at) - 1));
  unquotedEnd.lastIndex = at;
  for (let found = unquotedEnd.exec(text); found; found = unquotedEnd.exec(text)) {
    if (text[found.index - 1] !== '\\') return written(text, at, found.index);
  }
  return written(text, at, text.length);
}

function written(text: string, start: number, end: number): Written {
  return { start, end, text: unescaped(text.slice(start, end)) };
}

/** `\28 ` and `\(` are parentheses. */
function unescaped(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, code?: string, character?: string) => {
    if (code === undefined) return character === '\n' ? '' : (character ?? '');
    const point = parseInt(code, 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
  });
}

/** HTML elements whose `src` can be an image. */
const withSource = new Set(['img', 'source', 'input', 'image', 'enhanced:img']);

/**
 * The images that a text's tags name: of images and components, with all attributes that hold one, video posters, and
 * styles. The other sources of a `picture` get the description of its image.
 */
export function tagLinks(text: string, tags: readonly Tag[], syntax: Syntax): ImageLink[] {
  const links: ImageLink[] = [];
  let sources: ImageLink[] = [];
  for (const tag of tags) {
    const name = tag.name.toLowerCase();
    if (name === 'img' || tag.closing) {
      const said = sources.length > 0 ? saidBy(text, tag) : {};
      append(
        links,
        sources.map((link) => ({ ...said, ...link })),
      );
      sources = [];
    }
    if (tag.closing) continue;
    const own = ownLinks(text, tag, syntax);
    if (name === 'source') append(sources, own);
    else append(links, [...own, ...styleOf(text, tag)]);
  }
  return [...links, ...sources];
}

function ownLinks(text: string, tag: Tag, syntax: Syntax): ImageLink[] {
  const name = tag.name.toLowerCase();
  const address = addressOf(text, tag, name);
  const shows = showsImage(tag.name);
  const shown = shows ? tag.attributes.filter((one) => one.value && shows(one.name)) : [];
  if (!address && shown.length === 0) return [];
  const said = saidBy(text, tag);
  const links = address ? [imageLink({ kind: 'tag', syntax, element: spanOf(tag), address, ...said })] : [];
  // Read once, since a tag may have any number of them.
  const byName = new Map(tag.attributes.map((one) => [normalName(one.name), one]));
  for (const one of shown) {
    if (address && one.start <= address.start && address.end <= one.end) continue;
    const own = byName.get(`${normalName(one.name)}-alt`);
    const alt = (own && literal(text, own)) ?? said.alt;
    append(
      links,
      attributeLinks(text, tag, one, syntax).map((link) => ({ ...said, ...(alt && { alt }), ...link })),
    );
  }
  return links;
}

/** Whether an attribute of a name holds what a tag shows; undefined if none does. */
function showsImage(tag: string): ((name: string) => boolean) | undefined {
  const lower = tag.toLowerCase();
  const only = lower === 'video' ? 'poster' : withSource.has(lower) ? 'src' : undefined;
  if (only !== undefined) return (name) => name.replace(bound, '').toLowerCase() === only;
  return isComponent(tag) ? namesImage : undefined;
}

/** How Vue marks an attribute whose value is an expression. */
const bound = /^(?::|v-bind:)/;

const imageName =
  /(?:(?:image|img|thumbnail|picture|photo|background|screenshot|banner|avatar|poster|illustration|artwork|gallery)s?|(?:^|-)(?:src|sources?|icon|thumb|cover|hero|logo|bg|teaser|preview|portrait|backdrop|light|dark)s?)(?:-(?:src|url|uri|path|file|light|dark|mobile|desktop))*$/;

/** Whether a property of this name holds an image if it holds a file, as `heroImage`, `cover_url`, or `icon`. */
export function namesImage(name: string): boolean {
  return imageName.test(normalName(name));
}

/** `heroImage` and `hero_image` as `hero-image`. */
export function normalName(name: string): string {
  // Most have that form.
  if (!/[A-Z_.:]/.test(name)) return name;
  return name
    .replace(bound, '')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[_.:]/g, '-')
    .toLowerCase();
}

/** The images in an attribute's value. */
function attributeLinks(text: string, tag: Tag, one: Attribute, syntax: Syntax): ImageLink[] {
  const element = { start: one.start, end: one.end };
  const isBound = bound.test(one.name);
  const address = isBound ? undefined : literal(text, one);
  if (address) return [imageLink({ kind: 'attribute', syntax, element, address })].filter(hasImageEnding);
  if (!one.value || (one.quote !== '{' && !isBound)) return [];
  const expression = sliceOf(text, one.value);
  const name = expression.trim();
  // The import of that name has the address.
  if (/^[\w$]+$/.test(name))
    return [imageLink({ kind: 'tag', syntax, element: spanOf(tag), address: { ...one.value, text: name }, name })];
  return stringsIn(text, one.value).map((address) =>
    imageLink({ kind: 'value', syntax, element: spanOf(address), address }),
  );
}

/** Longer expressions compute their value, in UTF-16 code units. */
const longestExpression = 1000;

const expressionPart =
  /withBase\s*\(\s*(?=["'`])|(?:useBaseUrl|require)\s*\(\s*["'`][^"'`]*["'`]|(["'`])((?:(?!\1)[^\\]|\\[^])*)\1|([+(<`"']|==|=>)/g;

/** The strings among which an expression chooses; none if it computes them. What a script imports isn't among them. */
function stringsIn(text: string, { start, end }: Span): Written[] {
  if (end - start > longestExpression) return [];
  const strings: Written[] = [];
  for (const { 0: whole, 2: inner, 3: computes, index } of text.slice(start, end).matchAll(expressionPart)) {
    if (computes !== undefined || (whole.startsWith('`') && inner?.includes('${'))) return [];
    if (inner === undefined) continue;
    const from = start + index + 1;
    strings.push({ start: from, end: from + whole.length - 2, text: stringDecoded(inner) });
  }
  return strings.filter(({ text: path }) => imageEndings.has(endingOf(path.replace(/[?#].*$/s, ''))));
}

function hasImageEnding({ path }: ImageLink): boolean {
  return imageEndings.has(endingOf(path));
}

function spanOf({ start, end }: Span): Span {
  return { start, end };
}

function addressOf(text: string, tag: Tag, name: string): Written | undefined {
  // An inline SVG's image; a component may also be called Image.
  const link = name === 'image' ? (stated(text, tag, 'href') ?? stated(text, tag, 'xlink:href')) : undefined;
  if (link) return link;
  if (!withSource.has(name) && !isComponent(tag.name)) return undefined;
  const source = stated(text, tag, 'src');
  if (source) return source;
  const sources = stated(text, tag, 'srcset') ?? stated(text, tag, 'srcSet');
  return sources && !attribute(tag, 'src') ? firstOf(text, sources) : undefined;
}

/**
 * Component names have a capital or a dash. Whether such a tag shows an image depends on its source's file extension.
 */
function isComponent(name: string): boolean {
  return /^[^A-Z]*[A-Z].*[a-z]|^[A-Z]$|-/.test(name);
}

/** The first of a list of sources, `a.png 1x, b.png 2x`. */
function firstOf(text: string, { start, end, text: list }: Written): Written | undefined {
  const { before, first } = beginOf(sliceOf(text, { start, end }));
  if (first === '') return undefined;
  const from = start + before;
  return { start: from, end: from + first.length, text: beginOf(list).first || first };
}

/** The first entry of a list of sources, and its offset in the list. */
function beginOf(list: string): { readonly before: number; readonly first: string } {
  const before = /^[\s,]*/.exec(list)?.[0].length ?? 0;
  const word = /^\S*/.exec(list.slice(before))?.[0] ?? '';
  return { before, first: withoutEnd(word, /,/) };
}

/** An element's alternative text, and the size it states in pixels. */
export function saidBy(
  text: string,
  tag: Attributed,
  altNames: readonly string[] = ['alt', 'aria-label'],
): Pick<ImageLink, 'alt' | 'title' | 'width' | 'height'> {
  const [alt] = altNames.flatMap((name) => stated(text, tag, name) ?? []);
  const title = stated(text, tag, 'title');
  const width = pixels(text, tag, 'width');
  const height = pixels(text, tag, 'height');
  return {
    ...(alt && { alt }),
    ...(title && { title }),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
  };
}

function pixels(text: string, tag: Attributed, name: string): number | undefined {
  // Vue states a number as a bound value.
  const found = attribute(tag, name) ?? attribute(tag, `:${name}`);
  return found?.value && pixelsOf(literal(text, found)?.text ?? sliceOf(text, found.value));
}

/** A number of pixels from `300` or `300px`, but not `50%` or `10em`; undefined for anything that isn't a size. */
export function pixelsOf(text: string): number | undefined {
  const stated = /^\s*(\d{1,6}(?:\.\d{1,6})?)(?:px)?\s*$/.exec(text)?.[1];
  return stated !== undefined && Number(stated) > 0 ? Number(stated) : undefined;
}

function stated(text: string, tag: Attributed, name: string): Written | undefined {
  const found = attribute(tag, name);
  return found && literal(text, found);
}

/** An attribute by its name, ignoring case. */
export function attribute(tag: Attributed, name: string): Attribute | undefined {
  const wanted = name.toLowerCase();
  return tag.attributes.find((one) => one.name.toLowerCase() === wanted);
}

function styleOf(text: string, tag: Tag): ImageLink[] {
  const style = attribute(tag, 'style');
  if (!style?.value || style.quote === '{') return [];
  const raw = sliceOf(text, style.value);
  // With entities in it, the offsets wouldn't be the document's.
  if (!raw.includes('(') || raw.includes('&')) return [];
  const { start } = style.value;
  return styleLinks(raw, 'css').map((link) => shifted(link, start));
}
