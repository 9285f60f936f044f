import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decode } from 'fast-png';
import { systemClock } from '../../../src/base/clock';
import { isWhole } from '../../../src/files/completeness';
import { embedded, embeddedAgain, embeddedMetadataIn, jpegCarrier } from '../../../src/files/embeddedMetadata';
import { pngCarrier } from '../../../src/files/pngCarrier';
import type { Provenance } from '../../../src/files/provenance';
import { sniff } from '../../../src/files/sniff';
import { webpCarrier } from '../../../src/files/webpCarrier';
import { draw } from '../../../src/sandbox/art/artist';
import { temporaryFolder } from './disks';
import { losslessWebp, photo, png, transparentWebp, webp } from './pictures';

const prompt = 'Ein "Drachen" <rot> & größer\r\n\u0000\ud800 — 凧 🪁 ]]> ﷐\ufffe\uffff';
const provenance: Provenance = {
  tool: 'Model Catalog 1.2.3',
  modelId: 'paperlight/strata/strata-2',
  inputs: { prompt, size: 'small', seed: 7, nested: { list: [1, 'zwei', null, true] } },
  service: 'https://models.example/prefix',
  generationId: 'gen_1',
  costCents: 4,
  orderedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
};

const images = {
  png: { bytes: png(), mediaType: 'image/png' },
  jpeg: { bytes: photo(), mediaType: 'image/jpeg' },
  'lossy WebP': { bytes: webp(), mediaType: 'image/webp' },
  'lossless WebP': { bytes: losslessWebp(), mediaType: 'image/webp' },
  'extended WebP': { bytes: transparentWebp(), mediaType: 'image/webp' },
} as const;

function write(bytes: Uint8Array, mediaType: string, told = provenance): Buffer | undefined {
  const made = embedded(bytes, mediaType, told);
  return made && Buffer.concat(made.pieces);
}

for (const [name, { bytes, mediaType }] of Object.entries(images)) {
  test(`how it was made can be written into a ${name} and read again, whatever the prompt holds`, async () => {
    const written = write(bytes, mediaType)!;
    const found = await embeddedMetadataIn(written, systemClock);
    assert.ok(found?.isOfThis);
    const { sha256, promptLeftOut, ...told } = found.provenance;
    assert.deepEqual(told, provenance);
    assert.match(sha256 ?? '', /^[\da-f]{64}$/);
    assert.equal(promptLeftOut, false);
  });

  test(`a ${name} stays one of its kind, whole, with its picture byte for byte`, () => {
    const written = write(bytes, mediaType)!;
    assert.equal(sniff(written).mediaType, mediaType);
    assert.notEqual(isWhole(mediaType, written, written, written.length), 'cut');
    assert.deepEqual(written, write(bytes, mediaType), 'the same every time');
    for (const piece of imageData(bytes, mediaType)) assert.ok(written.includes(piece));
  });

  test(`in a ${name} a changed image is told from an unchanged one`, async () => {
    const written = write(bytes, mediaType)!;
    const [piece = Buffer.alloc(0)] = imageData(bytes, mediaType);
    const edited = Buffer.from(written);
    const at = edited.indexOf(piece) + piece.length - 6;
    edited[at] = edited[at]! ^ 0x10;
    assert.equal((await embeddedMetadataIn(edited, systemClock))?.isOfThis, false);
    const retold = Buffer.from(written);
    retold.write('gen_2', retold.indexOf('gen_1'));
    assert.equal((await embeddedMetadataIn(retold, systemClock))?.isOfThis, true, 'words are no picture');
  });

  test(`nothing is put twice into a ${name}, nor more than a reader takes`, () => {
    assert.equal(write(write(bytes, mediaType)!, mediaType), undefined);
    const long = { ...provenance, inputs: { prompt: 'kite '.repeat(20_000) } };
    assert.equal(write(bytes, mediaType, long), undefined);
  });

  test(`the record of a ${name} can be replaced, so that it isn’t there twice, and only if it’s of that very image`, async () => {
    const fit = { width: 20, height: 10, mode: 'cover' } as const;
    const retold = { ...provenance, fit };
    const written = write(bytes, mediaType)!;
    const anew = Buffer.concat(embeddedAgain(written, mediaType, retold)!.pieces);
    assert.deepEqual(anew, write(bytes, mediaType, retold));
    assert.deepEqual((await embeddedMetadataIn(anew, systemClock))?.provenance.fit, fit);
    const { pieces } = embeddedAgain(bytes, mediaType, retold)!;
    assert.deepEqual(Buffer.concat(pieces), anew, 'as where there was none');
    const others = Buffer.from(written);
    others.write('0', others.indexOf('sha256') + 19);
    assert.equal(embeddedAgain(others, mediaType, retold), undefined);
  });

  test(`a ${name} that is cut or damaged anywhere is left alone or still carries all it had`, async () => {
    for (let at = 0; at < bytes.length; at++) {
      const damaged = Buffer.from(bytes);
      damaged[at] = damaged[at]! ^ 0xff;
      for (const broken of [bytes.subarray(0, at), damaged]) {
        const written = write(broken, mediaType);
        if (written) assert.ok((await embeddedMetadataIn(written, systemClock))?.isOfThis, `at ${at}`);
        await embeddedMetadataIn(broken, systemClock);
      }
    }
  });
}

/** The parts with the pixels, according to each format's specification. */
function imageData(bytes: Buffer, mediaType: string): Buffer[] {
  if (mediaType === 'image/png') return [bytes.subarray(bytes.indexOf('IDAT'), bytes.indexOf('IEND') - 4)];
  if (mediaType === 'image/jpeg') return [bytes.subarray(bytes.indexOf(Buffer.from('ffdb', 'hex')))];
  return [bytes.subarray(Math.max(bytes.indexOf('VP8 '), bytes.indexOf('VP8L')))];
}

test('a sandbox image decodes to the same pixels, and without the one new chunk is the file as received', async () => {
  const image = await draw('poster', { prompt: 'a red lighthouse', size: 'small' });
  const written = write(image, 'image/png')!;
  const [before, after] = [decode(image, { checkCrc: true }), decode(written, { checkCrc: true })];
  assert.deepEqual([after.width, after.height], [before.width, before.height]);
  assert.ok(Buffer.from(after.data.buffer).equals(Buffer.from(before.data.buffer)));
  const at = written.indexOf('iTXt') - 4;
  const end = at + 12 + written.readUInt32BE(at);
  assert.ok(Buffer.concat([written.subarray(0, at), written.subarray(end)]).equals(image));
});

test('other tools get IPTC’s terms: a trained model made it, which one, and the prompt', () => {
  const written = write(png(), 'image/png')!.toString();
  assert.match(
    written,
    /<Iptc4xmpExt:DigitalSourceType>http:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/trainedAlgorithmicMedia</,
  );
  assert.match(written, /<Iptc4xmpExt:AISystemUsed>paperlight\/strata\/strata-2</);
  assert.match(written, /<Iptc4xmpExt:AIPromptInformation>Ein &quot;Drachen&quot; &lt;rot&gt; &amp; größer/);
  assert.match(written, /<xmp:CreatorTool>Model Catalog 1\.2\.3</);
});

test('an image drawn by the sandbox isn’t attributed to a trained model', () => {
  const written = write(png(), 'image/png', { ...provenance, service: 'sandbox' })!.toString();
  assert.match(written, /digitalsourcetype\/algorithmicMedia</);
  assert.doesNotMatch(written, /trainedAlgorithmicMedia/);
});

test('an API key typed into a prompt isn’t written', () => {
  const told = { ...provenance, inputs: { prompt: 'draw ai_live_secret123' } };
  assert.ok(!write(png(), 'image/png', told)!.includes('secret123'));
});

const theirs = [
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
  '<r:Description r:about="uuid:1" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:rights>theirs</dc:rights>',
  '<i:DigitalSourceType xmlns:i="http://iptc.org/std/Iptc4xmpExt/2008-02-29/">their word</i:DigitalSourceType>',
  '</r:Description></r:RDF></x:xmpmeta>',
].join('');

for (const [name, { bytes, mediaType }] of Object.entries(images)) {
  test(`the service’s XMP in a ${name} stays, and isn’t repeated`, async () => {
    const signed = withXmp(bytes, mediaType, Buffer.from(theirs));
    const written = write(signed, mediaType)!;
    const text = written.toString();
    assert.match(text, /<dc:rights>theirs<\/dc:rights>/);
    assert.equal(text.match(/<\w+:DigitalSourceType/g)?.length, 1, 'one element');
    assert.equal(text.match(/<x:xmpmeta/g)?.length, 1, 'one packet');
    assert.equal(text.match(/about="uuid:1"/g)?.length, 2, 'about the same');
    assert.ok((await embeddedMetadataIn(written, systemClock))?.isOfThis);
  });

  test(`a ${name} whose XMP cannot be read is left as it is`, () => {
    for (const packet of [Buffer.from('fffe3c00', 'hex'), Buffer.from('no packet at all')])
      assert.equal(write(withXmp(bytes, mediaType, packet), mediaType), undefined);
  });

  test(`a ${name} that is signed is left as it is: any change would break the signature`, () => {
    assert.equal(write(withPart(bytes, mediaType, signature[mediaType]), mediaType), undefined);
  });
}

const signature = {
  'image/png': ['caBX', Buffer.from('claim')],
  'image/jpeg': ['\xeb', Buffer.from('JP\0\x01claim')],
  'image/webp': ['C2PA', Buffer.from('claim!')],
} as const;

function withXmp(bytes: Buffer, mediaType: keyof typeof signature, packet: Buffer): Buffer {
  const part = {
    'image/png': ['iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'), packet])],
    'image/jpeg': ['\xe1', Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), packet])],
    'image/webp': ['XMP ', packet],
  } as const;
  return withPart(bytes, mediaType, part[mediaType]);
}

/** The image with an added part for its format. Checksums aren't verified. */
function withPart(bytes: Buffer, mediaType: keyof typeof signature, [type, data]: readonly [string, Buffer]): Buffer {
  const length = Buffer.alloc(4);
  const name = Buffer.from(type, 'latin1');
  if (mediaType === 'image/png') {
    length.writeUInt32BE(data.length);
    const end = bytes.indexOf('IEND') - 4;
    return Buffer.concat([bytes.subarray(0, end), length, name, data, Buffer.alloc(4), bytes.subarray(end)]);
  }
  if (mediaType === 'image/jpeg') {
    length.writeUInt16BE(data.length + 2);
    const at = bytes.indexOf(Buffer.from('ffdb', 'hex'));
    const head = Buffer.concat([Buffer.from([0xff]), name, length.subarray(0, 2)]);
    return Buffer.concat([bytes.subarray(0, at), head, data, bytes.subarray(at)]);
  }
  length.writeUInt32LE(data.length);
  const longer = Buffer.concat([bytes, name, length, data, Buffer.alloc(data.length % 2)]);
  longer.writeUInt32LE(longer.length - 8, 4);
  return longer;
}

test('a record that another tool rewrote in its own format can be read', async () => {
  const written = write(png(), 'image/png', { ...provenance, inputs: { prompt: "it's & <it>" } })!.toString('latin1');
  const [, json = ''] = /<modelCatalog:Render>([^<]*)</.exec(written) ?? [];
  const attribute = `<rdf:Description rdf:about='' xmlns:ns1 = "model-catalog:ns:render/1/" ns1:Render='${json.replaceAll("'", '&#x27;').replaceAll('&quot;', '"')}'/>`;
  const found = await embeddedMetadataIn(withXmp(png(), 'image/png', Buffer.from(attribute)), systemClock);
  assert.equal(found?.provenance.inputs.prompt, "it's & <it>");
  assert.equal(found.provenance.modelId, provenance.modelId);
});

test('files with no metadata, or nonsense, state nothing', async () => {
  const nonsense = ['<a xmlns:m="model-catalog:ns:render/1/"/>', '<m:Render>{}</m:Render>', theirs];
  for (const text of nonsense)
    assert.equal(await embeddedMetadataIn(withXmp(png(), 'image/png', Buffer.from(text)), systemClock), undefined);
  for (const bytes of [Buffer.alloc(0), Buffer.from('text'), png(), photo(), webp()])
    assert.equal(await embeddedMetadataIn(bytes, systemClock), undefined);
});

const exiftool = process.env['EXIFTOOL'] ?? 'exiftool';
const skip = !has(exiftool) && 'exiftool is not installed';

for (const [name, { bytes, mediaType }] of Object.entries(images)) {
  test(`exiftool finds no errors in a ${name} and reads its metadata`, { skip }, async (t) => {
    const file = join(await temporaryFolder(t), `picture.${sniff(bytes).extension}`);
    writeFileSync(file, write(bytes, mediaType)!);
    const [said] = JSON.parse(
      execFileSync(exiftool, ['-json', '-G1', '-validate', '-warning', '-error', '-a', '-XMP:all', file], {
        encoding: 'utf8',
      }),
    ) as [Record<string, unknown>];
    assert.equal(said['ExifTool:Warning'], undefined);
    assert.equal(said['ExifTool:Error'], undefined);
    assert.match(String(said['XMP-iptcExt:DigitalSourceType']), /trained ?algorithmic ?media/i);
    assert.equal(said['XMP-xmp:CreatorTool'], provenance.tool);
    assert.ok(readFileSync(file).length > bytes.length);
  });
}

function has(command: string): boolean {
  try {
    execFileSync(command, ['-ver'], { stdio: 'ignore' });
    return true;
  } catch {
    // Not available on this machine.
    return false;
  }
}

for (const reference of [
  '<dcterms:provenance>https://credentials.example/1.c2pa</dcterms:provenance>',
  '<x:note xmlns:t="http://purl.org/dc/terms/" t:provenance="https://credentials.example/1.c2pa"/>',
])
  test(`a picture whose content credentials lie elsewhere stays as it is: ${reference.slice(0, 24)}…`, () => {
    const packet = `<x:xmpmeta><rdf:RDF><rdf:Description>${reference}</rdf:Description></rdf:RDF></x:xmpmeta>`;
    for (const { bytes, mediaType } of Object.values(images)) {
      const carrying = Buffer.concat(carrierOf(bytes, mediaType)!.with(Buffer.from(packet)));
      assert.equal(write(carrying, mediaType), undefined);
      const other = packet.replace(reference, '<dc:title>A kite</dc:title>');
      assert.ok(write(Buffer.concat(carrierOf(bytes, mediaType)!.with(Buffer.from(other))), mediaType));
    }
  });

function carrierOf(bytes: Uint8Array, mediaType: string) {
  if (mediaType === 'image/png') return pngCarrier(bytes);
  return mediaType === 'image/jpeg' ? jpegCarrier(bytes) : webpCarrier(bytes);
}
