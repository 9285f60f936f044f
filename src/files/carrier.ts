/** A picture taken apart as far as its metadata goes; its bytes are views of the file's. */
export interface Carrier {
  /** The XMP packet it has; undefined when it has none. */
  readonly packet: string | undefined;
  /** Nothing may be put into it: it is signed, or has XMP that cannot be read. */
  readonly isSealed: boolean;
  /** All that is not XMP, in order: what stays the same when a packet is put in, changed or taken out. */
  readonly picture: readonly Uint8Array[];
  /** The file with this packet in place of its own, in pieces. */
  with(packet: Uint8Array): readonly Uint8Array[];
}

/** A file of more parts than this is left alone: nobody needs as many, and each costs memory while it is looked at. */
export const mostParts = 4096;

/** True where there is room for what is added, so that the file can be read again. */
export function hasRoom(parts: number): boolean {
  return parts + 2 <= mostParts;
}

/** The bytes as text; undefined when they are not UTF-8. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    // XMP begins with a byte order mark that belongs to it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Another encoding: what it says is not ours to change.
    return undefined;
  }
}

/** True when the bytes at `offset` are the codes of `text`'s characters. */
export function startsWith(bytes: Uint8Array, text: string, offset = 0): boolean {
  return latin1(bytes.subarray(offset, offset + text.length)) === text;
}

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
