import { styleLinks } from './css';
import { imageEndings } from './imageEndings';
import { imageLink, shifted, type ImageLink } from './imageLink';
import { literal, stringDecoded } from './literals';
import { endingOf } from './paths';
import { append, withoutEnd } from './scan';
import { sliceOf, type Span, type Written } from './span';
import type { Syntax } from './syntax';
import type { Attribute, Tag } from './tag';

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
  tag: Pick<Tag, 'attributes'>,
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

function pixels(text: string, tag: Pick<Tag, 'attributes'>, name: string): number | undefined {
  // Vue states a number as a bound value.
  const found = attribute(tag, name) ?? attribute(tag, `:${name}`);
  return found?.value && pixelsOf(literal(text, found)?.text ?? sliceOf(text, found.value));
}

/** A number of pixels from `300` or `300px`, but not `50%` or `10em`; undefined for anything that isn't a size. */
export function pixelsOf(text: string): number | undefined {
  const stated = /^\s*(\d{1,6}(?:\.\d{1,6})?)(?:px)?\s*$/.exec(text)?.[1];
  return stated !== undefined && Number(stated) > 0 ? Number(stated) : undefined;
}

function stated(text: string, tag: Pick<Tag, 'attributes'>, name: string): Written | undefined {
  const found = attribute(tag, name);
  return found && literal(text, found);
}

/** An attribute by its name, ignoring case. */
export function attribute(tag: Pick<Tag, 'attributes'>, name: string): Attribute | undefined {
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
