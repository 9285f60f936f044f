import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock';
import { type Carrier, hasRoom, mostParts, startsWith, utf8, viewOf } from './carrier';
import { pngCarrier } from './pngCarrier';
import type { Provenance } from './provenance';
import { sha256Of } from './sameFile';
import { webpCarrier } from './webpCarrier';
import { extendedPacket, isOnlyAbout, isSignedElsewhere, newPacket, provenanceInPacket } from './xmp';

const xmpHeader = 'http://ns.adobe.com/xap/1.0/\0';
const startOfScan = 0xda;
const app0 = 0xe0;
const app1 = 0xe1;
const app11 = 0xeb;

/** The most bytes of XMP that fit into a single segment. */
const mostXmpInJpeg = 0xffff - 2 - xmpHeader.length;

interface Segment {
  readonly marker: number;
  readonly data: Uint8Array;
  /** With marker, preceding fill bytes, and length. */
  readonly whole: Uint8Array;
}

/** A JPEG; undefined if it isn't well-formed. */
export function jpegCarrier(bytes: Uint8Array): Carrier | undefined {
  const found = segmentsOf(bytes);
  if (!found) return undefined;
  const { segments, scan } = found;
  const own = segments.filter(isXmp);
  const packet = own[0] && utf8(own[0].data.subarray(xmpHeader.length));
  const others = segments.filter((segment) => !isXmp(segment));
  const pieces = others.map(({ whole }) => whole);
  const start = bytes.subarray(0, 2);
  // JFIF and Exif must come first.
  const first = others.findIndex((segment) => !isFirst(segment));
  const at = first < 0 ? others.length : first;
  return {
    packet,
    isSealed:
      own.length > 1 ||
      (own.length === 1 && packet === undefined) ||
      others.some(isSignature) ||
      !hasRoom(segments.length),
    image: [start, ...pieces, scan],
    with: (added) => [start, ...pieces.slice(0, at), segmentOf(added), ...pieces.slice(at), scan],
  };
}

/** The segments before the first scan, and the rest; undefined when a segment is invalid. */
function segmentsOf(bytes: Uint8Array): { readonly segments: Segment[]; readonly scan: Uint8Array } | undefined {
  if (!startsWith(bytes, '\xff\xd8')) return undefined;
  const view = viewOf(bytes);
  const segments: Segment[] = [];
  for (let start = 2; ;) {
    let offset = start;
    while (bytes[offset] === 0xff && bytes[offset + 1] === 0xff) offset++;
    const marker = bytes[offset + 1];
    if (bytes[offset] !== 0xff || marker === undefined || !hasLength(marker) || offset + 4 > bytes.length)
      return undefined;
    if (marker === startOfScan) return { segments, scan: bytes.subarray(start) };
    const end = offset + 2 + view.getUint16(offset + 2);
    if (end < offset + 4 || end > bytes.length || segments.length === mostParts) return undefined;
    segments.push({ marker, data: bytes.subarray(offset + 4, end), whole: bytes.subarray(start, end) });
    start = end;
  }
}

/** Markers of ends, restarts, and escapes have none, and don't belong before a scan. */
function hasLength(marker: number): boolean {
  return marker >= 0xc0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd9);
}

function isXmp({ marker, data }: Segment): boolean {
  return marker === app1 && startsWith(data, xmpHeader);
}

function isFirst({ marker, data }: Segment): boolean {
  return marker === app0 || (marker === app1 && startsWith(data, 'Exif\0'));
}

/** Content Credentials sign all bytes but their own. */
function isSignature({ marker, data }: Segment): boolean {
  return marker === app11 && startsWith(data, 'JP');
}

function segmentOf(packet: Uint8Array): Uint8Array {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xff00 + app1);
  head.writeUInt16BE(2 + xmpHeader.length + packet.length, 2);
  return Buffer.concat([head, Buffer.from(xmpHeader, 'latin1'), packet]);
}

/** The largest image that metadata is written into, bytes: that happens in memory. */
export const largestEmbeddable = 32 * 1024 * 1024;

const carriers: Readonly<Record<string, (bytes: Uint8Array) => Carrier | undefined>> = {
  'image/png': pngCarrier,
  'image/jpeg': jpegCarrier,
  'image/webp': webpCarrier,
};

/** True for file types that can hold how they were made. */
export function isEmbeddable(mediaType: string): boolean {
  return Object.hasOwn(carriers, mediaType);
}

/** A file with embedded metadata. */
export interface WithMetadata {
  /** The file in consecutive pieces. */
  readonly pieces: readonly Uint8Array[];
  /** Of the image, which is everything but its XMP: hexadecimal. */
  readonly pictureSha256: string;
}

/**
 * Embeds in a file how it was made: its image stays byte for byte, and its XMP keeps its content. Undefined when that
 * isn't possible: it's signed, not well-formed, there is too much to write, or it couldn't be read back.
 */
export function embedded(bytes: Uint8Array, mediaType: string, provenance: Provenance): WithMetadata | undefined {
  return withPacket(bytes, mediaType, provenance, extendedPacket);
}

/** As `embedded`, but replaces the XMP if all of it is our own record of that very image. */
export function embeddedAgain(bytes: Uint8Array, mediaType: string, provenance: Provenance): WithMetadata | undefined {
  return withPacket(bytes, mediaType, provenance, (packet, whole) =>
    isOnlyAbout(packet, whole.sha256) ? newPacket(whole) : extendedPacket(packet, whole),
  );
}

function withPacket(
  bytes: Uint8Array,
  mediaType: string,
  provenance: Provenance,
  extended: (packet: string, whole: Provenance & { readonly sha256: string }) => string | undefined,
): WithMetadata | undefined {
  const carrier = carriers[mediaType]?.(bytes);
  if (!carrier || carrier.isSealed || (carrier.packet?.length ?? 0) > mostXmpInJpeg) return undefined;
  if (carrier.packet !== undefined && isSignedElsewhere(carrier.packet)) return undefined;
  const pictureSha256 = imageHash(carrier);
  const whole = { ...provenance, sha256: pictureSha256 };
  const packet = carrier.packet === undefined ? newPacket(whole) : extended(carrier.packet, whole);
  // The packet's content may prevent it.
  if (packet === undefined || provenanceInPacket(packet)?.sha256 !== pictureSha256) return undefined;
  const encoded = new TextEncoder().encode(packet);
  return encoded.length > mostXmpInJpeg ? undefined : { pieces: carrier.with(encoded), pictureSha256 };
}

/** An image's record of how it was made. */
export interface EmbeddedMetadata {
  readonly provenance: Provenance;
  /** True when this was written for exactly this image, according to the file. */
  readonly isOfThis: boolean;
  /** Of the current image: hexadecimal. */
  readonly pictureSha256: string;
}

/**
 * A file's record of how it was made; undefined when there is none. The file may be larger than those that we write
 * into, so other work runs while its image is hashed.
 */
export async function embeddedMetadataIn(bytes: Uint8Array, clock: Clock): Promise<EmbeddedMetadata | undefined> {
  for (const read of Object.values(carriers)) {
    const carrier = read(bytes);
    const provenance = carrier?.packet === undefined ? undefined : provenanceInPacket(carrier.packet);
    if (!carrier || !provenance) continue;
    const pictureSha256 = await sha256Of(carrier.image, clock);
    return { provenance, isOfThis: provenance.sha256 === pictureSha256, pictureSha256 };
  }
  return undefined;
}

function imageHash({ image }: Carrier): string {
  const hash = createHash('sha256');
  for (const piece of image) hash.update(piece);
  return hash.digest('hex');
}
