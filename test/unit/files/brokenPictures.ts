import { gif, jpeg, losslessWebp, photo, png, transparentWebp, webp } from './pictures';

/** An image, and what makes it broken or complete. */
export interface Made {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Complete images of each format, also with a complete preview of the same format inside. */
export const whole: readonly Made[] = [
  { name: 'PNG', bytes: png() },
  { name: 'PNG with a preview', bytes: within(png(), 33, pngChunk('eXIf', png(1))) },
  { name: 'JPEG with a preview', bytes: jpeg() },
  { name: 'JPEG', bytes: photo() },
  { name: 'GIF', bytes: gif() },
  { name: 'GIF with an end in its data', bytes: gifWith(Buffer.from('2\x00;\x00\x00;', 'latin1')) },
  { name: 'lossy WebP', bytes: webp() },
  { name: 'lossless WebP', bytes: losslessWebp() },
  { name: 'extended WebP', bytes: transparentWebp() },
];

/**
 * Each image with a number in its structure, or any other byte, changed; with a part duplicated, missing, or from
 * another image.
 */
export function* broken(): Generator<Made> {
  for (const { name, bytes } of whole) {
    for (let at = 0; at < bytes.length; at++) {
      for (const value of [0, 1, 0x7f, 0x80, 0xff])
        yield { name: `${name}, ${value} at ${at}`, bytes: set(bytes, at, [value]) };
      for (const value of numbers) yield { name: `${name}, ${String(value)} at ${at}`, bytes: set(bytes, at, value) };
    }
    for (let at = 0; at < bytes.length; at += 3) {
      yield { name: `${name} cut at ${at}`, bytes: bytes.subarray(0, at) };
      yield {
        name: `${name} without 4 at ${at}`,
        bytes: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 4)]),
      };
      yield { name: `${name} twice from ${at}`, bytes: Buffer.concat([bytes, bytes.subarray(at)]) };
      yield { name: `${name} in itself at ${at}`, bytes: within(bytes, at, bytes) };
    }
    for (const other of whole)
      for (let at = 2; at < 64; at += 5)
        yield {
          name: `${name} in ${other.name} from ${at}`,
          bytes: Buffer.concat([bytes.subarray(0, at), other.bytes.subarray(at)]),
        };
  }
  yield* crafted();
}

/**
 * Lengths and counts that lead nowhere: zero, the maximum, and those that some read as negative, in both byte orders.
 */
const numbers = [
  [0, 0],
  [0xff, 0xff],
  [0, 0, 0, 0],
  [0, 0, 0, 1],
  [1, 0, 0, 0],
  [0xff, 0xff, 0xff, 0xff],
  [0x7f, 0xff, 0xff, 0xff],
  [0x80, 0, 0, 0],
  [0, 0, 0, 0x80],
  [0xff, 0xff, 0xff, 0xfb],
  [0xf4, 0xff, 0xff, 0xff],
];

/** What no bytes contain by chance. */
function* crafted(): Generator<Made> {
  const packets = [...xmpPackets()];
  for (const { name, bytes } of packets) {
    yield { name: `PNG, XMP ${name}`, bytes: within(png(), 33, xmpChunk(bytes)) };
    yield {
      name: `PNG, XMP ${name} twice`,
      bytes: within(png(), 33, Buffer.concat([xmpChunk(bytes), xmpChunk(bytes)])),
    };
    yield { name: `PNG, XMP ${name} after its end`, bytes: Buffer.concat([png(), xmpChunk(bytes)]) };
    yield { name: `JPEG, XMP ${name}`, bytes: within(photo(), 2, xmpSegment(bytes)) };
    yield {
      name: `JPEG, XMP ${name} twice`,
      bytes: within(photo(), 2, Buffer.concat([xmpSegment(bytes), xmpSegment(bytes)])),
    };
    for (const image of [webp(), losslessWebp(), transparentWebp()])
      yield { name: `WebP, XMP ${name}`, bytes: riff(Buffer.concat([image.subarray(12), riffChunk('XMP ', bytes)])) };
  }
  for (const head of [[], [0], new Array<number>(10).fill(0), new Array<number>(10).fill(0xff)])
    for (const at of [12, 30, 50, transparentWebp().length]) {
      const chunk = riffChunk('VP8X', Buffer.from(head));
      yield {
        name: `WebP with a head of ${head.length} at ${at}`,
        bytes: riff(within(transparentWebp(), at, chunk).subarray(12)),
      };
    }
  for (const exif of exifs()) yield { name: `JPEG with Exif`, bytes: within(photo(), 2, exif) };
  for (const drawing of drawings) yield { name: drawing.slice(0, 80), bytes: Buffer.from(drawing) };
}

/** XMP that is wrong or easily misread. */
export function* xmpPackets(): Generator<Made> {
  const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
  const own = 'xmlns:modelCatalog="model-catalog:ns:render/1/"';
  const texts = {
    empty: '',
    'without an end': `<x:xmpmeta><rdf:RDF ${rdf}>`,
    'of ours in name alone': `<x><modelCatalog:Render>{"modelCatalogRender":1}</modelCatalog:Render><rdf:RDF ${rdf}></rdf:RDF></x>`,
    'of ours as an attribute': `<x a="" modelCatalog:Render="no"><rdf:RDF ${rdf}></rdf:RDF></x>`,
    'of ours that cannot be read': `<x ${own}><modelCatalog:Render>[</modelCatalog:Render><rdf:RDF ${rdf}></rdf:RDF></x>`,
    'that nests': `<x ${own}><modelCatalog:Render>{"modelCatalogRender":1,"modelId":"a","inputs":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}</modelCatalog:Render></x>`,
    'about a name that is not closed': `<rdf:RDF ${rdf}><rdf:Description about="a></rdf:Description></rdf:RDF>`,
    'about itself': `<rdf:RDF ${rdf}><rdf:Description about="</rdf:RDF>" xmlns:a="</rdf:RDF>"/></rdf:RDF>`,
    'that ends in a comment': `<rdf:RDF ${rdf}></rdf:RDF><!-- </rdf:RDF> -->`,
    'with an entity that is itself': `<!DOCTYPE x [<!ENTITY a "&a;&a;">]><rdf:RDF ${rdf}>&a;</rdf:RDF>`,
    'without a name for RDF': '</:RDF></.:RDF></-:RDF>',
    'of a comment': `<!-- ${own} <rdf:RDF ${rdf}></rdf:RDF>`,
    'of the longest there is': `<rdf:RDF ${rdf}>${' '.repeat(60_000)}</rdf:RDF>`,
  };
  for (const [name, text] of Object.entries(texts)) yield { name, bytes: Buffer.from(text) };
  yield { name: 'in UTF-16', bytes: Buffer.from(`\ufeff<rdf:RDF ${rdf}></rdf:RDF>`, 'utf16le') };
  yield { name: 'of zeros', bytes: Buffer.alloc(100) };
}

/** Directories that refer to themselves, count missing entries, or state the orientation with wrong types. */
function* exifs(): Generator<Buffer> {
  for (const order of ['MM\0*', 'II*\0'])
    for (const count of [0, 1, 0x7fff, 0xffff])
      for (const kind of [0, 2, 3, 0xffff])
        for (const next of [0, 8, 0xffffffff]) {
          const entry = order === 'II*\0' ? u16(0x0112, kind, 1, 0, 9, 0).swap16() : u16(0x0112, kind, 0, 1, 9, 0);
          const tiff = Buffer.concat([Buffer.from(order, 'latin1'), u32(8), u16(count), entry, u32(next)]);
          yield segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]));
        }
}

const sides = ['', '0', '-1', '1e999', '1.2.3', '9'.repeat(400), '1e-400', '100%', 'NaN', '5', '0.2'];

/** Drawings without a valid size. */
const drawings = sides.flatMap((a) =>
  sides.flatMap((b) => [
    `<svg width="${a}" height="${b}"/>`,
    `<svg viewBox="0 0 ${a} ${b}"/>`,
    `<svg viewBox='${a} ${b}' width="7"/>`,
    `<svg height="${a}" viewBox="0 0 ${b} 5"/>`,
  ]),
);

export function xmpChunk(packet: Buffer): Buffer {
  return pngChunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0', 'latin1'), packet]));
}

export function xmpSegment(packet: Buffer): Buffer {
  return segment(0xe1, Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1'), packet]));
}

/** With a checksum of zeros, which our code doesn't check. */
export function pngChunk(type: string, data: Buffer): Buffer {
  return Buffer.concat([u32(data.length), Buffer.from(type, 'latin1'), data, u32(0)]);
}

export function segment(marker: number, data: Buffer): Buffer {
  return Buffer.concat([u16(0xff00 + marker, 2 + data.length), data]);
}

export function riffChunk(type: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type, 'latin1'), u32(data.length).swap32(), data, Buffer.alloc(data.length % 2)]);
}

export function riff(chunks: Buffer): Buffer {
  return riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), chunks]));
}

/** A GIF with these bytes as its image. */
function gifWith(data: Buffer): Buffer {
  const plain = gif();
  return within(plain, plain.length - 2, Buffer.concat([Buffer.from([data.length]), data]));
}

function within(bytes: Buffer, at: number, part: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
}

function set(bytes: Buffer, at: number, value: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(value.slice(0, bytes.length - at), at);
  return copy;
}

function u16(...values: number[]): Buffer {
  return Buffer.from(values.flatMap((value) => [value >>> 8, value & 0xff]));
}

function u32(...values: number[]): Buffer {
  return Buffer.concat(values.map((value) => u16(value >>> 16, value & 0xffff)));
}
