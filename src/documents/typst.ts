import { imageLink, type ImageLink } from './link';
import { indexAfter, type Written } from './scan';

/** Comments, raw text, and images. In markup, an image follows `#`; in code, it's an argument or a value. */
const token = /\/\*|(?<!:)\/\/|`+|(?<=#|[(,[{=:;\n][ \t]{0,40})image[ \t]*\([ \t\r\n]*"/g;
const option = /,\s*([a-z]+)\s*:\s*(?:"((?:[^"\\]|\\.)*)"|[^,()"[\]]*)/y;
const caption = /[\s,]*(?:[a-z]+\s*:[^,()[\]"]*,\s*)?caption\s*:\s*(?:\[([^[\]]*)\]|"((?:[^"\\]|\\.)*)")/y;
/** Longer options or captions are ignored, in UTF-16 code units. */
const longest = 2000;

/** The images of a Typst document. */
export function typstLinks(text: string): ImageLink[] {
  const links: ImageLink[] = [];
  for (let at = 0; ;) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (!found) return links;
    const [what] = found;
    at = token.lastIndex;
    if (what === '/*') at = indexAfter(text, '*/', at);
    else if (what === '//') at = indexAfter(text, '\n', at);
    else if (what.startsWith('`')) at = what.length === 2 ? at : indexAfter(text, what, at);
    else {
      const link = imageAt(text, found.index, at);
      if (link) links.push(link);
      at = link?.element.end ?? at;
    }
  }
}

/** The image whose path begins at an offset, after its quote; undefined if its parentheses don't close. */
function imageAt(text: string, start: number, pathStart: number): ImageLink | undefined {
  const part = text.slice(pathStart, pathStart + longest);
  const path = /^((?:[^"\\\n]|\\.)*)"/.exec(part)?.[1];
  if (path === undefined) return undefined;
  let alt: Written | undefined;
  option.lastIndex = path.length + 1;
  let end = option.lastIndex;
  for (let found = option.exec(part); found; found = option.exec(part)) {
    end = option.lastIndex;
    const [, name, words] = found;
    if (name === 'alt' && words !== undefined) alt = written(words, pathStart + end - 1 - words.length);
  }
  const close = /^[\s,]*\)/.exec(part.slice(end))?.[0];
  if (close === undefined) return undefined;
  end += close.length;
  caption.lastIndex = end;
  const shown = caption.exec(part);
  const words = shown?.[1] ?? shown?.[2];
  const said = words === undefined ? undefined : written(words, pathStart + caption.lastIndex - 1 - words.length);
  const isMarkup = text[start - 1] === '#';
  return imageLink({
    kind: 'command',
    syntax: 'typst',
    element: { start: isMarkup ? start - 1 : start, end: pathStart + end },
    address: { start: pathStart, end: pathStart + path.length, text: unescaped(path) },
    ...(alt ? { alt, ...(said && { title: said }) } : said && { alt: said }),
  });
}

function written(words: string, start: number): Written {
  return { start, end: start + words.length, text: unescaped(words).replace(/\s+/g, ' ').trim() };
}

function unescaped(text: string): string {
  return text.replace(/\\(["\\])/g, '$1');
}

/** A text as a string, without its quotes. */
export function stringText(text: string): string {
  return text.replace(/["\\]/g, '\\$&');
}
