/** The longest base name, bytes of UTF-8: with ` (99)` and the longest extension it stays within 120. */
const longestBase = 107;
const fallback = 'render';

const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(?:\.|$)/i;

/**
 * A file name without extension that every system takes: letters and digits of any script and ` ._-+,=@()`, everything
 * else becomes `-`. It begins with no dot or dash, ends with neither nor a space, is no device, is NFC and is never
 * empty. A safe name stays as it is.
 */
export function safeName(text: string): string {
  if (isSafeName(text)) return text;
  const name = firstBytes(noDevice(tidy(allowed(text.slice(0, 2000)))), longestBase).replace(trailing, '');
  // The rest of a name that was cut can be a device.
  return name === '' ? fallback : noDevice(name);
}

/** True for a file name without extension that every system takes as it is; see `safeName`. */
export function isSafeName(text: string): boolean {
  const isWhole = text !== '' && text === allowed(text) && firstBytes(text, longestBase) === text;
  return isWhole && !text.includes('..') && !leading.test(text) && !trailing.test(text) && !isDevice(text);
}

function noDevice(name: string): string {
  return isDevice(name) ? `_${name}` : name;
}

/** True for the names of devices on Windows, which are devices also with an extension. */
export function isDevice(name: string): boolean {
  return device.test(name);
}

const leading = /^[ .\p{M}-]+/u;
// Looked for where such characters begin alone, so that many of them within a name cost no more than others.
const trailing = /(?<![ .-])[ .-]+$/;

/** Invisible characters are dropped; visible ones that aren't allowed become a dash. */
function allowed(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[^\p{L}\p{M}\p{N} ._+,=@()-]/gu, '-')
    .normalize('NFC');
}

/**
 * A name without the gaps that words leave which were not there: double dashes, spaces and dots, and those at the ends.
 */
export function tidy(text: string): string {
  return text
    .replace(/-{2,}/g, '-')
    .replace(/ {2,}/g, ' ')
    .replace(/\.{2,}/g, '.')
    .replace(leading, '')
    .replace(trailing, '');
}

/** As many whole characters from the beginning as fit into so many bytes of UTF-8. */
function firstBytes(text: string, most: number): string {
  const room = new Uint8Array(most);
  return text.slice(0, new TextEncoder().encodeInto(text, room).read);
}

/** The names a file may get, in the order they are tried: `name.png`, `name (2).png`, … */
export function* numberedNames(baseName: string, extension: string): Generator<string> {
  yield `${baseName}.${extension}`;
  for (let number = 2; number <= 9999; number++) yield `${baseName} (${number}).${extension}`;
}

/** The name as file systems compare it that do not tell case or Unicode forms apart. */
export function folded(name: string): string {
  return name.normalize('NFD').toLowerCase().normalize('NFC');
}
