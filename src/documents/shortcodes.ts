import { imageEndings } from './imageEndings';
import { imageLink, type ImageLink } from './imageLink';
import { literal } from './literals';
import { endingOf } from './paths';
import type { Span, Written } from './span';
import { attributesIn, type Attribute } from './tag';
import { namesImage, pixelsOf, saidBy } from './tagLinks';

/** Longer ones aren't read, in UTF-16 code units. */
const longest = 2000;
/** Hugo's `{{< figure … >}}` and `{{% … %}}`, and the `{% image … %}` of Liquid, Nunjucks, and Hexo. */
const shortcode = /^(?:\{\{([<%])-?\s*([\w./-]+)\s+([^]*?)\s*-?\/?\1?[>%]\}\}|\{%-?\s*([\w.-]+)\s+([^]*?)\s*-?%\})/;
/** The `:nuxt-img{…}` of MDC, up to the brace. */
const component = /(?:^|[^\w:]):{1,2}([a-zA-Z][\w-]*)$/;
const braced = /^\{((?:[^{}"]|"(?:[^"\\]|\\[^])*")*)\}/;

/** The image of a site builder's shortcode or component whose brace is at an offset; undefined if it shows none. */
export function shortcodeAt(text: string, at: number): ImageLink | undefined {
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
  if (!path || !attributes.slice(0, at).every((one) => /^[\w-]+$/.test(wordsOf(text, one)))) return undefined;
  const after = attributes.slice(at + 1).filter((one) => one.name === '' && one.value);
  const [width, height] = after.map((one) => pixelsOf(wordsOf(text, one)));
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
  const words = after.filter((one) => pixelsOf(wordsOf(text, one)) === undefined);
  const [first, last] = [words[0]?.value, words.at(-1)?.value];
  if (!first || !last) return undefined;
  return { start: first.start, end: last.end, text: text.slice(first.start, last.end).replace(/\s+/g, ' ') };
}

function hasImageEnding(text: string, one: Attribute): boolean {
  return imageEndings.has(endingOf(wordsOf(text, one).replace(/[?#].*$/s, '')));
}

function wordsOf(text: string, { value }: Attribute): string {
  return value ? text.slice(value.start, value.end) : '';
}
