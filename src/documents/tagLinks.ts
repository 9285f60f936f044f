import { styleLinks } from './css';
import { imageLink, shifted, type ImageLink } from './imageLink';
import { literal } from './literals';
import { append, withoutEnd } from './scan';
import { sliceOf, type Written } from './span';
import type { Syntax } from './syntax';
import type { Attribute, Tag } from './tag';

/** HTML elements whose `src` can be an image. */
const withSource = new Set(['img', 'source', 'input', 'image']);

/**
 * The images that a text's tags name, in document order: of images and components, video posters, and styles. The other
 * sources of a `picture` get the description of its image.
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
    const own = ownLink(text, tag, syntax);
    if (name === 'source') append(sources, own);
    else append(links, [...own, ...styleOf(text, tag, syntax)]);
  }
  return [...links, ...sources];
}

function ownLink(text: string, tag: Tag, syntax: Syntax): ImageLink[] {
  const lower = tag.name.toLowerCase();
  if (lower === 'video') return posterLink(text, tag, syntax);
  const address = addressOf(text, tag, lower);
  const name = address ? undefined : shownName(text, tag);
  const said = address ?? name;
  if (!said) return [];
  const element = { start: tag.start, end: tag.end };
  return [
    imageLink({ kind: 'tag', syntax, element, address: said, ...saidBy(text, tag), ...(name && { name: name.text }) }),
  ];
}

/** The name in `src={hero}`; in Vue, in `:src="hero"`. */
function shownName(text: string, tag: Tag): Written | undefined {
  const source = attribute(tag, 'src');
  const bound = source?.quote === '{' ? source : (attribute(tag, ':src') ?? attribute(tag, 'v-bind:src'));
  const name = bound?.value && sliceOf(text, bound.value).trim();
  return bound?.value && name !== undefined && /^[\w$]+$/.test(name) ? { ...bound.value, text: name } : undefined;
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

function posterLink(text: string, tag: Tag, syntax: Syntax): ImageLink[] {
  const poster = attribute(tag, 'poster');
  const address = poster && literal(text, poster);
  if (!address) return [];
  const element = { start: poster.start, end: poster.end };
  return [imageLink({ kind: 'poster', syntax, element, address, ...saidBy(text, tag) })];
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

function styleOf(text: string, tag: Tag, syntax: Syntax): ImageLink[] {
  const style = attribute(tag, 'style');
  if (!style?.value || style.quote === '{') return [];
  const raw = sliceOf(text, style.value);
  // With entities in it, the offsets wouldn't be the document's.
  if (!raw.includes('(') || raw.includes('&')) return [];
  const { start } = style.value;
  return styleLinks(raw, 'css').map((link) => shifted(syntax === 'svelte' ? withBraces(link) : link, start));
}

/** Svelte computes what is in braces, also in a style. */
function withBraces(link: ImageLink): ImageLink {
  return link.address.text.includes('{') ? { ...link, composed: true } : link;
}
