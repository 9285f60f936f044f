import { imageLink, type ImageLink } from './imageLink';
import { indexAfter, stringEnd } from './scan';
import type { Span, Written } from './span';

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
