import type { ImageLink } from './imageLink';
import { withoutEnd } from './scan';

/** The characters that may end a sentence. */
const stop = /[.\s]/;

/** Placeholders for a description that nobody has written yet. */
const placeholder =
  /^(?:an? |the )?(?:alt(?:ernative)?(?: text)?|image|img|picture|pic|photo|figure|fig|todo|tbd|untitled|description|screenshots?)[.:!?…]*$/i;

/** A prompt from a link's description of its image, plus its title if that says more. Undefined if it says nothing. */
export function promptOf({ alt, title }: Pick<ImageLink, 'alt' | 'title'>): string | undefined {
  const words = meaning(alt?.text);
  const more = meaning(title?.text);
  if (words === undefined || more === undefined) return words ?? more;
  if (includes(words, more)) return words;
  if (includes(more, words)) return more;
  return `${withoutEnd(words, stop)}. ${more}`;
}

/** Longer texts don't work as alternative text, in UTF-16 code units. */
const longestAlt = 250;

/** A prompt as the alternative text of its image, on one line. Cuts long text after a word. */
export function altFrom(prompt: string): string {
  const line = prompt.replace(/\s+/g, ' ').trim();
  if (line.length <= longestAlt) return line;
  const cut = line.slice(0, longestAlt).replace(/[\ud800-\udbff]$/, '');
  // A longer word is text in a script without spaces, or no word at all.
  return `${cut.replace(/\s+\S{0,40}$/, '')}…`;
}

/** What nobody pays a model for: it has to be taken or drawn from the thing itself. */
const taken = new Set(
  'screenshot screen dialog window panel menu button terminal console editor recording logo badge icon avatar diagram chart graph plot table'.split(
    ' ',
  ),
);

/**
 * Whether a render of the image is worth offering unasked: not for a picture of a program or of figures, an animation
 * or a drawing made of lines, nor for one or two words. An image without words may be anything.
 */
export function isWorthRendering(link: Pick<ImageLink, 'alt' | 'title' | 'path'>): boolean {
  const prompt = promptOf(link);
  if (/\.(?:gif|svg)$/i.test(link.path) || (prompt !== undefined && isShort(prompt))) return false;
  return !wordsOf(`${link.path} ${prompt ?? ''}`).some((word) => taken.has(word) || taken.has(word.replace(/s$/, '')));
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
/** Fewer words describe nothing. */
const fewestWords = 3;

function isShort(prompt: string): boolean {
  let words = 0;
  // Also in scripts that write words without spaces between them.
  for (const { isWordLike } of segmenter.segment(prompt.slice(0, longestAlt)))
    if (isWordLike === true && ++words >= fewestWords) return false;
  return true;
}

/** The words of a text in lower case, also those of names like `loginScreen` and `login_screen`. */
function wordsOf(text: string): string[] {
  return text
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
}

function meaning(text: string | undefined): string | undefined {
  const said = text?.replace(/\s+/g, ' ').trim() ?? '';
  // A file name says no more than the path.
  const isName = /^\S+\.(?:png|jpe?g|gif|webp|svg|avif)$/i.test(said);
  return !/[\p{L}\p{N}\p{So}]/u.test(said) || isName || placeholder.test(said) ? undefined : said;
}

function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(withoutEnd(part, stop).toLowerCase());
}
