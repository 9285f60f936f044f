import type { ImageLink } from './imageLink';
import { withoutEnd } from './scan';

/** The characters that may end a sentence. */
const stop = /[.\s]/;

/** Placeholders for a description that somebody has yet to write. */
const placeholder =
  /^(?:an? |the )?(?:alt(?:ernative)?(?: text)?|image|img|picture|pic|photo|figure|fig|todo|tbd|untitled|description)[.:!?…]*$/i;

/**
 * What a link says its picture shows, as a prompt: its words, and its title where that says more. Undefined when it
 * says nothing.
 */
export function promptOf({ alt, title }: Pick<ImageLink, 'alt' | 'title'>): string | undefined {
  const words = meaning(alt?.text);
  const more = meaning(title?.text);
  if (words === undefined || more === undefined) return words ?? more;
  if (includes(words, more)) return words;
  if (includes(more, words)) return more;
  return `${withoutEnd(words, stop)}. ${more}`;
}

/** More is no alternative text, UTF-16 code units. */
const longestAlt = 250;

/** As much of a prompt as says what its picture shows, on one line: what is too long ends with a word. */
export function altFrom(prompt: string): string {
  const line = prompt.replace(/\s+/g, ' ').trim();
  if (line.length <= longestAlt) return line;
  const cut = line.slice(0, longestAlt).replace(/[\ud800-\udbff]$/, '');
  // A word as long as that is text of a script that sets none apart, or no word.
  return `${cut.replace(/\s+\S{0,40}$/, '')}…`;
}

function meaning(text: string | undefined): string | undefined {
  const said = text?.replace(/\s+/g, ' ').trim() ?? '';
  // The name of a file says no more than its path does.
  const isName = /^\S+\.(?:png|jpe?g|gif|webp|svg|avif)$/i.test(said);
  return !/[\p{L}\p{N}\p{So}]/u.test(said) || isName || placeholder.test(said) ? undefined : said;
}

function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(withoutEnd(part, stop).toLowerCase());
}
