import { styleLinks } from './css';
import { frontMatterEnd } from './frontMatter';
import { shifted, type ImageLink } from './imageLink';
import { literal } from './literals';
import { append, indexAfter } from './scan';
import { Script } from './script';
import { scriptLinks } from './scriptLinks';
import { sliceOf, type Span } from './span';
import { readTag, type Tag, type TagDialect } from './tag';
import { attribute, tagLinks } from './tagLinks';

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
