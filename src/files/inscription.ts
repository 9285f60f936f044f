import { createHash } from 'node:crypto';
import type { Carrier } from './carrier';
import { jpegCarrier, mostXmpInJpeg } from './jpegCarrier';
import { pngCarrier } from './pngCarrier';
import type { Provenance } from './provenance';
import { webpCarrier } from './webpCarrier';
import { extendedPacket, newPacket, provenanceInPacket } from './xmp';

/** The largest picture something is written into, bytes: it is held in memory for it. */
export const largestInscribed = 32 * 1024 * 1024;

const carriers: Readonly<Record<string, (bytes: Uint8Array) => Carrier | undefined>> = {
  'image/png': pngCarrier,
  'image/jpeg': jpegCarrier,
  'image/webp': webpCarrier,
};

/** True for types of files that can hold how they were made. */
export function isInscribable(mediaType: string): boolean {
  return Object.hasOwn(carriers, mediaType);
}

/**
 * The file with how it was made written into it, in pieces: its picture stays byte for byte, and its XMP keeps what it has. Undefined when
 * it must stay as it is: it is signed, not put together as its type should be, or there is too much to say.
 */
export function inscribed(
  bytes: Uint8Array,
  mediaType: string,
  provenance: Provenance,
): readonly Uint8Array[] | undefined {
  const carrier = carriers[mediaType]?.(bytes);
  if (!carrier || carrier.isSealed || (carrier.packet?.length ?? 0) > mostXmpInJpeg) return undefined;
  const whole = { ...provenance, sha256: pictureHash(carrier) };
  const packet = carrier.packet === undefined ? newPacket(whole) : extendedPacket(carrier.packet, whole);
  if (packet === undefined) return undefined;
  const encoded = new TextEncoder().encode(packet);
  return encoded.length > mostXmpInJpeg ? undefined : carrier.with(encoded);
}

/** What a picture says of how it was made. */
export interface Inscription {
  readonly provenance: Provenance;
  /** True while the picture is the very one this was written for. */
  readonly isOfThis: boolean;
}

/** What stands in a file of how it was made; undefined when nothing does. */
export function inscriptionIn(bytes: Uint8Array): Inscription | undefined {
  for (const read of Object.values(carriers)) {
    const carrier = read(bytes);
    const provenance = carrier?.packet === undefined ? undefined : provenanceInPacket(carrier.packet);
    if (carrier && provenance) return { provenance, isOfThis: provenance.sha256 === pictureHash(carrier) };
  }
  return undefined;
}

function pictureHash({ picture }: Carrier): string {
  const hash = createHash('sha256');
  for (const piece of picture) hash.update(piece);
  return hash.digest('hex');
}
