import { hasRoom, mostParts, startsWith, utf8, viewOf, type Carrier } from './carrier';

const xmpHeader = 'http://ns.adobe.com/xap/1.0/\0';
const startOfScan = 0xda;
const app0 = 0xe0;
const app1 = 0xe1;
const app11 = 0xeb;

/** The most bytes of XMP that fit into a single segment. */
export const mostXmpInJpeg = 0xffff - 2 - xmpHeader.length;

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
    picture: [start, ...pieces, scan],
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
