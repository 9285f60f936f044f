/** The longest base name, bytes of UTF-8: with ` (99)` and the longest extension it stays within 120. */
const longestBase = 107;
const fallback = 'render';

const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$) *(?:\.|$)/i;

/**
 * A file name without extension that is valid on every system: letters and digits of any script and ` ._-+,=@()`;
 * everything else becomes `-`. Doesn't begin with a dot or dash, or end with one or a space; isn't a device name; is
 * NFC and never empty. A safe name stays as it is.
 */
export function safeName(text: string): string {
  if (isSafeName(text)) return text;
  const name = firstBytes(noDevice(tidy(allowed(text.slice(0, 2000)))), longestBase).replace(trailing, '');
  // A shortened name may be a device's.
  return name === '' ? fallback : noDevice(name);
}

/** True for a file name without extension that is valid on every system as it is; see `safeName`. */
export function isSafeName(text: string): boolean {
  const isWhole = text !== '' && text === allowed(text) && firstBytes(text, longestBase) === text;
  return isWhole && !text.includes('..') && !leading.test(text) && !trailing.test(text) && !isDevice(text);
}

function noDevice(name: string): string {
  return isDevice(name) ? `_${name}` : name;
}

/** True for device names on Windows, which stay devices with an extension. */
export function isDevice(name: string): boolean {
  return device.test(name);
}

const leading = /^[ .\p{M}-]+/u;
// Matches only at the start of a run, so that many such characters inside a name take no longer.
const trailing = /(?<![ .-])[ .-]+$/;

/** Drops invisible characters; replaces visible ones that aren't allowed with a dash. */
function allowed(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[^\p{L}\p{M}\p{N} ._+,=@()-]/gu, '-')
    .normalize('NFC');
}

/** Removes the gaps that empty variables leave in a name: double dashes, spaces, and dots, and those at the ends. */
export function tidy(text: string): string {
  return text
    .replace(/-{2,}/g, '-')
    .replace(/ {2,}/g, ' ')
    .replace(/\.{2,}/g, '.')
    .replace(leading, '')
    .replace(trailing, '');
}

/** The longest prefix of whole characters within this many bytes of UTF-8. */
function firstBytes(text: string, most: number): string {
  const room = new Uint8Array(most);
  return text.slice(0, new TextEncoder().encodeInto(text, room).read);
}

/** The names a file may get, in the order they're tried: `name.png`, `name (2).png`, … */
export function* numberedNames(baseName: string, extension: string): Generator<string> {
  yield `${baseName}.${extension}`;
  for (let number = 2; number <= 9999; number++) yield `${baseName} (${number}).${extension}`;
}

/** The name normalized for file systems that ignore case and Unicode form. */
export function folded(name: string): string {
  return name.normalize('NFD').toLowerCase().normalize('NFC');
}

const instructions =
  /^(?:agents?|claude|gemini|qwen|copilot-instructions|skill|conventions|warp|crush|rules|\.?(?:cursor|windsurf|cline|roo)rules)(?:\.[\w-]+)*\.(?:md|markdown|mdown|mdx|mdc|txt)$|\.(?:instructions|prompt|chatmode|agent|skill)\.(?:md|markdown|mdown|txt)$|^\.(?:cursor|windsurf|cline|roo)rules$/i;

/** True for the name of a file whose text agents follow: nothing of a service gets it unless the user says so. */
export function isInstructions(name: string): boolean {
  return instructions.test(name.normalize('NFKC'));
}
