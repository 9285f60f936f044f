import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock';
import type { Carrier } from './carrier';
import { sha256Of } from './hashed';
import { jpegCarrier, mostXmpInJpeg } from './jpegCarrier';
import { pngCarrier } from './pngCarrier';
import type { Provenance } from './provenance';
import { webpCarrier } from './webpCarrier';
import { extendedPacket, isOnlyAbout, isSignedElsewhere, newPacket, provenanceInPacket } from './xmp';

/** The largest image that metadata is written into, bytes: that happens in memory. */
export const largestInscribed = 32 * 1024 * 1024;

const carriers: Readonly<Record<string, (bytes: Uint8Array) => Carrier | undefined>> = {
  'image/png': pngCarrier,
  'image/jpeg': jpegCarrier,
  'image/webp': webpCarrier,
};

/** True for file types that can hold how they were made. */
export function isInscribable(mediaType: string): boolean {
  return Object.hasOwn(carriers, mediaType);
}

/** A file with embedded metadata. */
export interface Inscribed {
  /** The file in consecutive pieces. */
  readonly pieces: readonly Uint8Array[];
  /** Of the image, which is everything but its XMP: hexadecimal. */
  readonly pictureSha256: string;
}

/**
 * Embeds in a file how it was made: its image stays byte for byte, and its XMP keeps its content. Undefined when that
 * isn't possible: it's signed, not well-formed, there is too much to write, or it couldn't be read back.
 */
export function inscribed(bytes: Uint8Array, mediaType: string, provenance: Provenance): Inscribed | undefined {
  return withPacket(bytes, mediaType, provenance, extendedPacket);
}

/** As `inscribed`, but replaces the XMP if all of it is our own record of that very image. */
export function inscribedAnew(bytes: Uint8Array, mediaType: string, provenance: Provenance): Inscribed | undefined {
  return withPacket(bytes, mediaType, provenance, (packet, whole) =>
    isOnlyAbout(packet, whole.sha256) ? newPacket(whole) : extendedPacket(packet, whole),
  );
}

function withPacket(
  bytes: Uint8Array,
  mediaType: string,
  provenance: Provenance,
  extended: (packet: string, whole: Provenance & { readonly sha256: string }) => string | undefined,
): Inscribed | undefined {
  const carrier = carriers[mediaType]?.(bytes);
  if (!carrier || carrier.isSealed || (carrier.packet?.length ?? 0) > mostXmpInJpeg) return undefined;
  if (carrier.packet !== undefined && isSignedElsewhere(carrier.packet)) return undefined;
  const pictureSha256 = pictureHash(carrier);
  const whole = { ...provenance, sha256: pictureSha256 };
  const packet = carrier.packet === undefined ? newPacket(whole) : extended(carrier.packet, whole);
  // The packet's content may prevent it.
  if (packet === undefined || provenanceInPacket(packet)?.sha256 !== pictureSha256) return undefined;
  const encoded = new TextEncoder().encode(packet);
  return encoded.length > mostXmpInJpeg ? undefined : { pieces: carrier.with(encoded), pictureSha256 };
}

/** An image's record of how it was made. */
export interface Inscription {
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
export async function inscriptionIn(bytes: Uint8Array, clock: Clock): Promise<Inscription | undefined> {
  for (const read of Object.values(carriers)) {
    const carrier = read(bytes);
    const provenance = carrier?.packet === undefined ? undefined : provenanceInPacket(carrier.packet);
    if (!carrier || !provenance) continue;
    const pictureSha256 = await sha256Of(carrier.picture, clock);
    return { provenance, isOfThis: provenance.sha256 === pictureSha256, pictureSha256 };
  }
  return undefined;
}

function pictureHash({ picture }: Carrier): string {
  const hash = createHash('sha256');
  for (const piece of picture) hash.update(piece);
  return hash.digest('hex');
}
