import { entitiesDecoded } from './entities';
import { sliceOf, type Written } from './span';
import type { Attribute } from './tag';

/** The value of an attribute that is a literal; undefined if a template or a script computes it. */
export function literal(text: string, { value, quote }: Attribute): Written | undefined {
  if (!value) return undefined;
  const raw = sliceOf(text, value);
  if (quote !== '{') return { ...value, text: entitiesDecoded(raw) };
  const [, before = '', mark = '', inner = ''] = /^(\s*)(['"`])(.*)\2\s*$/s.exec(raw) ?? [];
  if (mark === '' || !isOneString(inner, mark)) return undefined;
  const start = value.start + before.length + 1;
  return { start, end: start + inner.length, text: stringDecoded(inner) };
}

/** False for `'a' + 'b'`, which also begins and ends with a quote, and for a template with a value in it. */
function isOneString(inner: string, mark: string): boolean {
  const rest = inner.replace(/\\./gs, '');
  return !rest.includes(mark) && !(mark === '`' && rest.includes('${'));
}

/** The value of a JavaScript string, from the text between its quotes. */
export function stringDecoded(inner: string): string {
  if (!inner.includes('\\')) return inner;
  return inner.replace(/\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([\s\S]))/gi, (whole, ...groups) => {
    const [braced, four, two, character] = groups as (string | undefined)[];
    const code = braced ?? four ?? two;
    if (code !== undefined) return parseInt(code, 16) <= 0x10ffff ? String.fromCodePoint(parseInt(code, 16)) : whole;
    return escapes[character ?? ''] ?? character ?? '';
  });
}

const escapes: Readonly<Partial<Record<string, string>>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
};

/** A text as it's written between the quotes of a JavaScript string. */
export function stringEncoded(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/['`]|\$(?=\{)/g, '\\$&');
}
