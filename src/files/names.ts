import type { Disk, WritableFile } from './disk';
import { onDisk } from './problem';
import { endingFor } from './sniff';

/** The longest base name, bytes of UTF-8: with `-9999` and the longest extension it stays within 120. */
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

/** The names a file may get, in the order they're tried: `name.png`, `name-2.png`, … */
export function* numberedNames(baseName: string, extension: string): Generator<string> {
  for (const name of numbered(baseName)) yield `${name}.${extension}`;
}

/** The base name, or the first numbered one after it that isn't taken; the base name if all are. */
export function firstFree(baseName: string, isTaken: (name: string) => boolean): string {
  for (const name of numbered(baseName)) if (!isTaken(name)) return name;
  return baseName;
}

function* numbered(baseName: string): Generator<string> {
  yield baseName;
  for (let number = 2; number <= 9999; number++) yield `${baseName}-${number}`;
}

/** The name normalized for file systems that ignore case and Unicode form. */
export function folded(name: string): string {
  return name.normalize('NFD').toLowerCase().normalize('NFC');
}

const instructions =
  /^(?:agents?|claude|gemini|qwen|copilot-instructions|skill|conventions|warp|crush|rules|\.?(?:cursor|windsurf|cline|roo)rules)(?:\.[\w-]+)*(?<!-\d+)\.(?:md|markdown|mdown|mdx|mdc|txt)$|\.(?:instructions|prompt|chatmode|agent|skill)\.(?:md|markdown|mdown|txt)$|^\.(?:cursor|windsurf|cline|roo)rules$/i;

/**
 * True for the name of a file whose text agents follow: nothing of a service gets it unless the user says so. No agent
 * looks for a numbered one, such as `CLAUDE.local-2.md`.
 */
export function isInstructions(name: string): boolean {
  return instructions.test(name.normalize('NFKC'));
}

/** The last segment of a file's URI, as it is on disk. */
export function fileNameOf(uri: string): string {
  const segment = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(segment);
  } catch {
    // A lone percent sign: use the segment as it is.
    return segment;
  }
}

/**
 * The name to use for a path segment: as on disk if an entry has that name in either Unicode form, otherwise composed.
 * `names` lists the existing entries; rejects as it does.
 */
export async function nameThere(segment: string, names: () => Promise<readonly string[]>): Promise<string> {
  const composed = segment.normalize('NFC');
  // Most names have only one form and need no lookup.
  if (composed === segment.normalize('NFD')) return segment;
  const there = await names();
  return there.includes(segment) ? segment : (there.find((name) => name.normalize('NFC') === composed) ?? composed);
}

/** A path with each segment as `nameThere` has it. `names` lists the entries of a folder along the path, '' first. */
export async function pathThere(path: string, names: (folder: string) => Promise<readonly string[]>): Promise<string> {
  let there = '';
  for (const segment of path.split('/').filter((one) => one !== '')) {
    const folder = there;
    const name = await nameThere(segment, () => names(folder));
    there = folder === '' ? name : `${folder}/${name}`;
  }
  return there;
}

/**
 * Creates a file that `fill` writes, and resolves with the result of `fill` when the file is on disk and closed.
 * Rejects with a FileProblem when the disk fails, and as `fill` when that fails; part of the file may then exist.
 */
export async function newFile<T>(
  disk: Disk,
  path: string,
  mode: number | undefined,
  fill: (file: WritableFile) => Promise<T>,
): Promise<T> {
  const file = await onDisk(disk.create(path, mode));
  let found: T;
  try {
    found = await fill(file);
    await onDisk(file.sync());
  } catch (error) {
    // The first failure is the one that matters.
    await file.close().catch(() => {});
    throw error;
  }
  await onDisk(file.close());
  return found;
}

/** A file name that a user typed, as stored in a Target. */
export interface SavedName {
  readonly fileName: string;
  /** Without dot. */
  readonly ending: string;
}

/** As it is on disk. */
export function spelledOut({ fileName, ending }: SavedName): string {
  return ending === '' ? fileName : `${fileName}.${ending}`;
}

/**
 * The name under which a result with this extension is saved: as typed if its extension is of that format, else with
 * that extension appended.
 */
export function savedName(typed: string, extension: string): SavedName {
  const [, base = typed, ending] = /^(.+)\.([^.]+)$/.exec(typed) ?? [];
  if (ending !== undefined && endingFor(extension, ending) === ending) return { fileName: base, ending };
  // A part that begins with a digit belongs to the name: `v1.2`.
  const isEnding = ending !== undefined && /^[a-z]\w{0,4}$/i.test(ending);
  return { fileName: isEnding ? base : typed, ending: extension };
}

/** The most characters in a slug. */
const longest = 24;
/** Only the beginning of a long prompt is used. */
const considered = 1000;

const latin: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
};

/** The characters that turn another one into an emoji: none of them belongs to a word. */
const emojiMarks = /[\p{Variation_Selector}\p{Me}]/gu;

/** Small words that lead on to a next one: cut off before that, a name doesn't end with them. */
const leadingOn = /(?:-(?:an?|the|in|at|on|by|of|with|and|for|to|from|or))+$/;

/**
 * The first words of a prompt for a file name: lower case, joined by `-`, at most 24 characters, cut between words, but
 * not after an English article, preposition, or conjunction. Removes accents from Latin letters; keeps other scripts as
 * they are. '' without any letters.
 */
export function slug(prompt: string): string {
  const words = plain(prompt.slice(0, considered)).match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? [];
  let joined = '';
  for (const word of words) {
    const longer = joined === '' ? word : `${joined}-${word}`;
    if (longer.length > longest) return joined === '' ? cut(word) : joined.replace(leadingOn, '');
    joined = longer;
  }
  return joined;
}

function cut(word: string): string {
  // Drop half a surrogate pair at the cut.
  return word.slice(0, longest).replace(/\p{Cs}$/u, '');
}

/** Lower case, Latin letters without accents, and words without apostrophes. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .replace(/[ßæœøđðþłħıŋ]/g, (letter) => latin[letter] ?? letter)
    .replace(/['’]/g, '')
    .replace(emojiMarks, '')
    .normalize('NFC');
}
