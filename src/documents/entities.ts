/** The HTML 4 entities for Latin letters, in the order of their code points from 160. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

/** The entities that occur in prose. Others stay as written, which is unambiguous. */
const named: ReadonlyMap<string, string> = new Map([
  ...latin.split(' ').map((name, index) => [name, String.fromCharCode(160 + index)] as const),
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['lbrace', '{'],
  ['rbrace', '}'],
  ['lcub', '{'],
  ['rcub', '}'],
  ['lsqb', '['],
  ['rsqb', ']'],
  ['num', '#'],
  ['OElig', 'Œ'],
  ['oelig', 'œ'],
  ['Scaron', 'Š'],
  ['scaron', 'š'],
  ['ensp', '\u2002'],
  ['emsp', '\u2003'],
  ['thinsp', '\u2009'],
  ['zwj', '\u200d'],
  ['zwnj', '\u200c'],
  ['ndash', '–'],
  ['mdash', '—'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['sbquo', '‚'],
  ['ldquo', '“'],
  ['rdquo', '”'],
  ['bdquo', '„'],
  ['bull', '•'],
  ['hellip', '…'],
  ['lsaquo', '‹'],
  ['rsaquo', '›'],
  ['euro', '€'],
  ['trade', '™'],
  ['larr', '←'],
  ['uarr', '↑'],
  ['rarr', '→'],
  ['darr', '↓'],
]);

/** An entity as written in a text, for use in larger patterns. */
export const entityPattern = /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{1,31});/i;

const entities = new RegExp(entityPattern, 'gi');

/** HTML text with its entities decoded. */
export function entitiesDecoded(text: string): string {
  return text.includes('&') ? text.replace(entities, entityDecoded) : text;
}

/** The character that an entity stands for; the entity itself if unknown. */
export function entityDecoded(entity: string): string {
  const name = entity.slice(1, -1);
  if (!name.startsWith('#')) return named.get(name) ?? entity;
  const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10);
  return isCharacter(code) ? String.fromCodePoint(code) : '\ufffd';
}

function isCharacter(code: number): boolean {
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/** A text as a double-quoted attribute value. Escapes braces too, since templates would evaluate them. */
export function attributeText(text: string): string {
  return text.replace(/[&"<>{}]/g, (character) => attributeEntities.get(character) ?? character);
}

const attributeEntities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['"', '&quot;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['{', '&#123;'],
  ['}', '&#125;'],
]);
