import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import { inspectedBytes, isWhole } from '../../../src/files/completeness';
import { embedded, embeddedMetadataIn } from '../../../src/files/embeddedMetadata';
import type { Provenance } from '../../../src/files/provenance';
import { sniff } from '../../../src/files/sniff';
import { displayedSize } from '../../../src/files/imageSize';
import { pngChunk, riff, riffChunk, segment, xmpChunk, xmpPackets, xmpSegment } from './brokenPictures';
import { gif, losslessWebp, photo, png, transparentWebp } from './pictures';
import { outOfProportion, runsOf } from '../runs';

const provenance: Provenance = { modelId: 'paperlight/strata/strata-2', inputs: { prompt: 'a kite' } };

/** The building blocks of a format, as binary text: its parts, its containers, and where a run of them may go. */
interface Format {
  readonly words: readonly string[];
  readonly pairs: readonly (readonly [open: string, close: string])[];
  readonly places: readonly ((run: string) => string)[];
}

const bytes = (text: string) => Buffer.from(text, 'latin1');
const text = (made: Buffer) => made.toString('latin1');
const packets = [...xmpPackets()].map((packet) => packet.bytes).filter((packet) => packet.length < 1000);

/** The image with a run inserted at this place. */
function at(image: Buffer, offset: number): (run: string) => string {
  return (run) => text(image.subarray(0, offset)) + run + text(image.subarray(offset));
}

const formats: Readonly<Record<string, Format>> = {
  PNG: {
    words: [
      ...[
        'IHDR',
        'IEND',
        'IDAT',
        'iTXt',
        'caBX',
        'CgBI',
        '\0\0\0\0IEND\xaeB`\x82',
        'XML:com.adobe.xmp\0',
        '\x89PNG\r\n\x1a\n',
      ],
      ...[
        '\0\0\0\0IDATabcd',
        '\0\0\0\0iTXtabcd',
        '\xff\xff\xff\xff',
        '\x7f\xff\xff\xffIDAT',
        '\0\0\0\x01tEXt',
        '\x80\0\0\0',
      ],
      ...[text(png()), text(xmpChunk(Buffer.alloc(0))), ...packets.map((packet) => text(xmpChunk(packet)))],
    ],
    pairs: [
      ['\0\0\0\x0ctEXt', 'abcd'],
      ['\0\0\0\x20iTXtXML:com.adobe.xmp\0\0\0', '\0\0abcd'],
    ],
    places: [
      at(png(), 8),
      at(png(), 33),
      at(png(), png().length),
      (run) => at(png(), 33)(text(pngChunk('tEXt', bytes(run)))),
      (run) => at(png(), 33)(text(xmpChunk(bytes(run)))),
    ],
  },
  JPEG: {
    words: [
      ...[
        '\xff\xd8',
        '\xff\xd9',
        '\xff\xda\0\x02',
        '\xff\xe1\0\x02',
        '\xff\xfe\0\x02',
        '\xff\xe1\0\0',
        '\xff\xe1\xff\xff',
        '\xff\xff\xe1',
      ],
      ...[
        '\xff\xe1\0\x08Exif\0\0',
        '\xff\xe1\0\x10Exif\0\0MM\0*\0\0\0\x08',
        '\0\x08Exif\0\0',
        '\xff\xd0',
        '\xff\0',
        '\xff',
        '\x80',
      ],
      ...[
        '\0\x02\xff\xff',
        '\0\x02\xff\xc4',
        '\xff\xeb\0\x04JP',
        'http://ns.adobe.com/xap/1.0/\0',
        '\x01\x12\0\x03\0\0\0\x01\0\x09\0\0',
      ],
      ...[text(photo()), text(xmpSegment(Buffer.alloc(0))), ...packets.map((packet) => text(xmpSegment(packet)))],
    ],
    pairs: [
      ['\xff\xe1\0\x20', 'ab'],
      ['\xff\xd8', '\xff\xd9'],
    ],
    places: [
      at(photo(), 2),
      at(photo(), 4),
      at(photo(), photo().length - 2),
      at(photo(), photo().length),
      (run) => at(photo(), 2)(text(segment(0xe1, bytes(`Exif\0\0MM\0*\0\0\0\x08\xff\xff${run}`).subarray(0, 65_000)))),
      (run) => at(photo(), 2)(text(xmpSegment(bytes(run).subarray(0, 65_000)))),
    ],
  },
  WebP: {
    words: [
      ...[
        'RIFF',
        'WEBP',
        'VP8 ',
        'VP8L',
        'VP8X',
        'XMP ',
        'C2PA',
        'EXIF',
        'EXIF\0\0\0\0',
        'VP8X\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0',
        'XMP \0\0\0\0',
      ],
      ...[
        'ABCD\xff\xff\xff\xff',
        'ABCD\x01\0\0\0ab',
        'ABCD\xf8\xff\xff\xff',
        'ABCD\0\0\0\x80',
        '\xff',
        '\x80',
        text(transparentWebp()),
      ],
      ...packets.map((packet) => text(riffChunk('XMP ', packet))),
    ],
    pairs: [
      ['EXIF\x10\0\0\0', 'abcdefgh'],
      ['RIFF\x10\0\0\0WEBP', 'EXIF\0\0\0\0'],
    ],
    places: [
      (run) => text(riff(bytes(run))),
      (run) => text(riff(bytes(at(transparentWebp(), 30)(run).slice(12)))),
      (run) => text(riff(Buffer.concat([losslessWebp().subarray(12), riffChunk('EXIF', bytes(run))]))),
      (run) => text(riff(Buffer.concat([losslessWebp().subarray(12), riffChunk('XMP ', bytes(run))]))),
      at(losslessWebp(), losslessWebp().length),
    ],
  },
  GIF: {
    words: [
      ...[
        'GIF89a',
        ';',
        '\0;',
        ',',
        '!',
        '!\xf9\x04\0\0\0\0\0',
        '!\xfe',
        '!\xfe\0',
        '!\xfe\x01a\0',
        '\x01a',
        '\xff',
        '\x80',
        '\0\0;\0',
      ],
      ...[
        ',\0\0\0\0\x01\0\x01\0\0\x02\x01a\0',
        ',\0\0\0\0\x01\0\x01\0\x87',
        `,\0\0\0\0\xff\xff\xff\xff\0\x02\0`,
        text(gif()),
      ],
    ],
    pairs: [
      ['!\xfe\x02', '\0'],
      [',\0\0\0\0\x01\0\x01\0\0\x02\xff', '\0'],
    ],
    places: [at(gif(), 6), at(gif(), 13), at(gif(), 19), at(gif(), gif().length - 2), at(gif(), gif().length)],
  },
  SVG: {
    words: [
      ...[
        '<svg',
        '<svg ',
        '<svg "',
        "<svg '",
        '<svg>',
        '</svg>',
        ' width="',
        " width='1'",
        ' height="',
        ' viewBox="',
        ' viewBox="0 0 1 1"',
      ],
      ...[
        '<!--',
        '<!---->',
        '<?',
        '<?xml?>',
        '<!doctype svg',
        '<!doctype svg>',
        '<![CDATA[',
        'a="b" ',
        '&amp;',
        '\xef\xbb\xbf',
        '1e9',
        '%',
      ],
    ],
    pairs: [
      ['<svg>', '</svg>'],
      ['<svg ', '>'],
      ['<!--', '-->'],
      ['<svg "', '"'],
    ],
    places: [
      (run) => run,
      (run) => `<svg ${run}>`,
      (run) => `<svg width="${run}" height="1">`,
      (run) => `<svg viewBox="${run}"`,
      (run) => `<!--${run}--><svg width="1" height="1">`,
      (run) => `x<svg>${run}`,
      (run) => `${run}<svg ><svg "`,
    ],
  },
};

/** Everything done with an image's bytes. */
function look(image: Buffer): void {
  const { mediaType } = sniff(image);
  isWhole(mediaType, image.subarray(0, inspectedBytes), image.subarray(-inspectedBytes), image.length);
  displayedSize(image);
  // Everything but the hash, which is made in turns afterwards.
  void embeddedMetadataIn(image, systemClock);
  embedded(image, mediaType, provenance);
}

suite('An image is examined in time proportional to its length', () => {
  for (const [name, { words, pairs, places }] of Object.entries(formats)) {
    test(name, (t) => {
      const slow: string[] = [];
      let inputs = 0;
      for (const [index, place] of places.entries())
        for (const length of [100_000, ...(index === 0 ? [1_000_000] : [])]) {
          const runs = runsOf(words, pairs);
          inputs += 2 * runs.length;
          slow.push(
            ...outOfProportion(runs, length, (run) => look(bytes(place(run)))).map((run) => `${index}: ${run}`),
          );
        }
      t.diagnostic(`${inputs} inputs`);
      assert.deepEqual(slow, []);
    });
  }
});
