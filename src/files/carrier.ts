/** An image split into its metadata and the rest; its bytes are views of the file's. */
export interface Carrier {
  /** Its XMP packet; undefined without one. */
  readonly packet: string | undefined;
  /** It can't be changed: it's signed, or has XMP that can't be read. */
  readonly isSealed: boolean;
  /** Everything but the XMP, in order: unaffected by adding, changing, or removing a packet. */
  readonly image: readonly Uint8Array[];
  /** The file with this packet instead of its own, in pieces. */
  with(packet: Uint8Array): readonly Uint8Array[];
}

/** Files with more parts are left alone: nobody needs as many, and each takes memory while it's parsed. */
export const mostParts = 4096;

/** True when more parts can be added without exceeding what we read. */
export function hasRoom(parts: number): boolean {
  return parts + 2 <= mostParts;
}

/** The bytes as text; undefined when they aren't UTF-8. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    // The byte order mark at the start of XMP is part of it.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Another encoding: not ours to change.
    return undefined;
  }
}

/** True when the bytes at `offset` are the character codes of `text`. */
export function startsWith(bytes: Uint8Array, text: string, offset = 0): boolean {
  return latin1(bytes.subarray(offset, offset + text.length)) === text;
}

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
