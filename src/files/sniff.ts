/** A file's type, determined from its bytes only. */
export interface FileType {
  readonly mediaType: string;
  /** Without a dot. Never one that an editor or a system runs. */
  readonly extension: string;
}

/** How many bytes from the beginning `sniff` examines. */
export const sniffedBytes = 4096;

const unknown: FileType = { mediaType: 'application/octet-stream', extension: 'bin' };

/** The type of a text model's response. */
export const responseType: FileType = { mediaType: 'text/markdown', extension: 'md' };

interface Rule extends FileType {
  readonly is: (head: Uint8Array) => boolean;
}

const rules: readonly Rule[] = [
  { mediaType: 'image/png', extension: 'png', is: (head) => has(head, 0, '\x89PNG\r\n\x1a\n') },
  { mediaType: 'image/jpeg', extension: 'jpg', is: (head) => has(head, 0, '\xff\xd8\xff') },
  { mediaType: 'image/gif', extension: 'gif', is: (head) => has(head, 0, 'GIF87a') || has(head, 0, 'GIF89a') },
  { mediaType: 'image/webp', extension: 'webp', is: (head) => has(head, 0, 'RIFF') && has(head, 8, 'WEBP') },
  { mediaType: 'image/avif', extension: 'avif', is: (head) => brand(head, 'avif', 'avis') },
  { mediaType: 'image/heic', extension: 'heic', is: (head) => brand(head, 'heic', 'heix', 'heim', 'heis') },
  { mediaType: 'image/heif', extension: 'heif', is: (head) => brand(head, 'mif1') },
  { mediaType: 'image/bmp', extension: 'bmp', is: isBitmap },
  { mediaType: 'image/tiff', extension: 'tif', is: (head) => has(head, 0, 'II*\0') || has(head, 0, 'MM\0*') },
  { mediaType: 'video/quicktime', extension: 'mov', is: (head) => brand(head, 'qt  ') },
  { mediaType: 'audio/mp4', extension: 'm4a', is: (head) => brand(head, 'M4A ') },
  { mediaType: 'video/mp4', extension: 'mp4', is: (head) => has(head, 4, 'ftyp') },
  { mediaType: 'video/webm', extension: 'webm', is: (head) => isMatroska(head, 'webm') },
  { mediaType: 'video/matroska', extension: 'mkv', is: (head) => isMatroska(head, 'matroska') },
  { mediaType: 'audio/mpeg', extension: 'mp3', is: (head) => has(head, 0, 'ID3') || isMp3Frame(head) },
  { mediaType: 'audio/wav', extension: 'wav', is: (head) => has(head, 0, 'RIFF') && has(head, 8, 'WAVE') },
  { mediaType: 'audio/ogg', extension: 'ogg', is: (head) => has(head, 0, 'OggS') },
  { mediaType: 'audio/flac', extension: 'flac', is: (head) => has(head, 0, 'fLaC') },
  { mediaType: 'application/pdf', extension: 'pdf', is: (head) => has(head, 0, '%PDF-') },
  { mediaType: 'application/zip', extension: 'zip', is: (head) => has(head, 0, 'PK\x03\x04') },
  { mediaType: 'model/gltf-binary', extension: 'glb', is: (head) => has(head, 0, 'glTF') },
  // May contain scripts: saved as a file, never shown in our pages.
  { mediaType: 'image/svg+xml', extension: 'svg', is: (head) => startsWithSvg(decodedText(head)) },
  { mediaType: 'text/plain', extension: 'txt', is: (head) => decodedText(head) !== undefined },
];

/** The type of a file by its first bytes; `application/octet-stream` (`bin`) when unknown. */
export function sniff(bytes: Uint8Array): FileType {
  const head = bytes.subarray(0, sniffedBytes);
  const { mediaType, extension } = rules.find((rule) => head.length > 0 && rule.is(head)) ?? unknown;
  return { mediaType, extension };
}

/** What a file holds by its extension, without dot; undefined for one that says neither. */
export function kindOfEnding(ending: string): 'image' | 'text' | undefined {
  const is = (kind: ReadonlySet<string>) => kind.has(ending.toLowerCase());
  return is(imageEndings) ? 'image' : is(textEndings) ? 'text' : undefined;
}

/** Other extensions for a format: a closed list, without any that an editor, a site builder, or a system runs. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  jpg: ['jpeg', 'jpe', 'jfif'],
  tif: ['tiff'],
  heif: ['heic'],
  ogg: ['oga', 'ogv'],
  md: ['markdown', 'mdown', 'txt'],
};

const imageEndings: ReadonlySet<string> = new Set(
  rules.flatMap(({ mediaType, extension }) =>
    mediaType.startsWith('image/') ? [extension, ...(spellings[extension] ?? [])] : [],
  ),
);
const textEndings: ReadonlySet<string> = new Set(
  ['txt', 'text', 'json', 'jsonl', 'csv', 'tsv', 'xml', 'yaml', 'yml', 'html', 'htm', 'log', 'srt', 'vtt', 'md'].concat(
    spellings['md'] ?? [],
  ),
);

/** The extension for a file of this format: the wanted one if it's a spelling of the same, else its own. */
export function endingFor(extension: string, wanted: string | undefined): string {
  const same = [extension, ...(Object.hasOwn(spellings, extension) ? (spellings[extension] ?? []) : [])];
  return wanted !== undefined && same.includes(wanted.toLowerCase()) ? wanted : extension;
}

/** True when the bytes at `offset` are the character codes of `text`. */
function has(bytes: Uint8Array, offset: number, text: string): boolean {
  if (bytes.length < offset + text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[offset + i] !== text.charCodeAt(i)) return false;
  return true;
}

/**
 * ISO base media (MP4 and related) states its major brand; `mif1` leaves it to the compatible ones, of which the first
 * are checked.
 */
function brand(head: Uint8Array, ...brands: readonly string[]): boolean {
  if (!has(head, 4, 'ftyp')) return false;
  const offsets = has(head, 8, 'mif1') ? [16, 20, 24, 28, 8] : [8];
  return offsets.some((offset) => brands.some((name) => has(head, offset, name)));
}

/** Many texts begin with the same two letters, so check the header size too. */
function isBitmap(head: Uint8Array): boolean {
  return has(head, 0, 'BM') && has(head, 15, '\0\0\0') && [12, 40, 52, 56, 64, 108, 124].includes(head[14] ?? 0);
}

function isMatroska(head: Uint8Array, docType: string): boolean {
  if (!has(head, 0, '\x1a\x45\xdf\xa3')) return false;
  for (let offset = 4; offset < 64; offset++) {
    if (has(head, offset, '\x42\x82') && has(head, offset + 3, docType)) return true;
  }
  return false;
}

/** A frame of MPEG audio layer III without a preceding tag. */
function isMp3Frame(head: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = head;
  const layer3 = first === 0xff && (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08;
  return layer3 && third >> 4 !== 0xf && (third & 0x0c) !== 0x0c;
}

/** The bytes as text if they are UTF-8 without control characters. */
function decodedText(head: Uint8Array): string | undefined {
  try {
    // `stream` allows for a character that is cut off at the end of the head.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: head.length === sniffedBytes });
    return /[\0-\x08\x0b\x0e-\x1f\x7f]/.test(text) ? undefined : text;
  } catch {
    // Not UTF-8: another type.
    return undefined;
  }
}

/** True when the first element is `svg`, after any declaration, document type, and comments. */
function startsWithSvg(text: string | undefined): boolean {
  let rest = text?.trimStart() ?? '';
  for (;;) {
    const end = rest.startsWith('<!--')
      ? '-->'
      : rest.startsWith('<?')
        ? '?>'
        : /^<!doctype\s+svg/i.test(rest)
          ? '>'
          : undefined;
    if (end === undefined) return /^<svg[\s/>]/.test(rest);
    const at = rest.indexOf(end);
    if (at < 0) return false;
    rest = rest.slice(at + end.length).trimStart();
  }
}
