const accents: Readonly<Partial<Record<string, string>>> = {
  '`': '\u0300',
  "'": '\u0301',
  '^': '\u0302',
  '~': '\u0303',
  '=': '\u0304',
  u: '\u0306',
  '.': '\u0307',
  '"': '\u0308',
  r: '\u030a',
  H: '\u030b',
  v: '\u030c',
  c: '\u0327',
  k: '\u0328',
};

const commands: Readonly<Partial<Record<string, string>>> = {
  ss: 'ß',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  o: 'ø',
  O: 'Ø',
  aa: 'å',
  AA: 'Å',
  l: 'ł',
  L: 'Ł',
  i: 'ı',
  textbackslash: '\\',
  textasciitilde: '~',
  textasciicircum: '^',
  ldots: '…',
  dots: '…',
  textendash: '–',
  textemdash: '—',
  textquotedbl: '"',
};

/** Commands whose argument is a name and not text. */
const silent =
  /\\(?:label|ref|eqref|autoref|cref|Cref|cite[a-z]*|footnote|index|vspace|hspace)\*?\s*(?:\[[^[\]{}]*\])*\{[^{}]*\}/g;

const piece = new RegExp(
  [
    String.raw`%[^\n]*\n?\s*`,
    String.raw`\\(?<accent>[\`'^"~=.]|[uvHckr](?![A-Za-z]))\s*(?:\{(?<braced>\\?[A-Za-z])\}|(?<letter>\\?[A-Za-z]))`,
    String.raw`\\(?<name>[A-Za-z@]+)\*?(?:\{\}|\s*)`,
    String.raw`\\(?<sign>[\s\S])`,
    '(?<dash>-{2,3})',
    "(?<quote>``|'')",
    '(?<other>[{}$~])',
  ].join('|'),
  'g',
);

/** LaTeX text as typeset, on one line. */
export function plainText(text: string): string {
  return text
    .replace(silent, '')
    .replace(piece, (...match) => said(match.at(-1) as Partial<Record<string, string>>))
    .replace(/\s+/g, ' ')
    .trim();
}

function said({ accent, braced, letter, name, sign, dash, quote, other }: Partial<Record<string, string>>): string {
  if (accent !== undefined)
    return `${(braced ?? letter ?? '').replace('\\', '')}${accents[accent] ?? ''}`.normalize('NFC');
  if (name !== undefined) return commands[name] ?? '';
  if (sign !== undefined) return /[\s\\,;:!/]/.test(sign) ? ' ' : sign;
  if (dash !== undefined) return dash.length === 2 ? '–' : '—';
  if (quote !== undefined) return quote === '``' ? '“' : '”';
  return other === '~' ? ' ' : '';
}

const signs: Readonly<Partial<Record<string, string>>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '-': '-{}',
  '`': '`{}',
  "'": "'{}",
};

/** Text that LaTeX displays literally, inside braces. */
export function escapedText(text: string): string {
  return text.replace(/[\\~^{}%#&_$]|-(?=-)|`(?=`)|'(?=')/g, (sign) => signs[sign] ?? `\\${sign}`);
}

/** A path as a command's argument. LaTeX accepts most characters of file names unescaped. */
export function escapedPath(path: string): string {
  return path.replace(/[%#&$^{}\\]/g, '\\$&');
}

/** The path in a command's argument. Quotes around it are an old way to allow spaces. */
export function unescapedPath(written: string): string {
  return written
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replace(/\\([^A-Za-z\s])/g, '$1');
}
