import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Provenance } from '../../../src/files/provenance';
import { extendedPacket, isSignedElsewhere, provenanceInPacket } from '../../../src/files/xmp';
import { outOfProportion, readAll, runsOf, type Place, type Run } from '../runs';

const provenance: Provenance = { modelId: 'paperlight/strata/strata-2', inputs: { prompt: 'a kite' } };
const rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
const own = 'xmlns:m="model-catalog:ns:render/1/"';
const json = '{"modelCatalogRender":1,"modelId":"a","inputs":{}}';

const xmpWords = [
  ...['&amp;', '&#1;', '&#x1;', '&#', '&a', '<!--', '-->', '<?', '?>', ']]>', '</a:RDF', '</a:RDF>', '</a', ':RDF'],
  ...[
    'about',
    'about=',
    'about="',
    "about='",
    ' about = "a"',
    'xmlns:',
    'xmlns:a',
    'xmlns:a=',
    'xmlns:a="',
    "xmlns:a='",
  ],
  ...['xmlns:a="b" ', `${own} `, 'xmlns:a="http://purl.org/dc/terms/" ', ':provenance', 'dcterms:provenan', 'ai_live_'],
  ...[
    '<m:Render',
    '<m:Render ',
    '<m:Render>',
    ' m:Render',
    ' m:Render=',
    ' m:Render="',
    " m:Render='",
    '"\'',
    'a="b" ',
  ],
];
const xmpPairs = [
  ['<a>', '</a>'],
  ['<rdf:RDF>', '</rdf:RDF>'],
  ['<m:Render>', '</m:Render>'],
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
] as const;

const xmpPlaces: readonly Place[] = [
  (run) => run,
  (run) => `<x ${rdf} ${own}>${run}</rdf:RDF>`,
  (run) => `<x ${rdf} ${own} ${run}></rdf:RDF>`,
  (run) => `<x xmlns:${run}="a"></rdf:RDF>${run}`,
  (run) => `<x ${own} ${rdf}><m:Render>${run}</m:Render></rdf:RDF>`,
  (run) => `<x ${own} ${rdf} m:Render="${run}"></rdf:RDF>`,
  (run) => `<x ${own}><m:Render ${run}>${json}</m:Render></rdf:RDF>`,
  (run) => `<x ${rdf} about="${run}"></${run}:RDF>`,
];

function readXmp(packet: string): void {
  provenanceInPacket(packet);
  isSignedElsewhere(packet);
  extendedPacket(packet, provenance);
}

test('XMP is read in time proportional to its length', (t) => {
  readAll(t, runsOf(xmpWords, xmpPairs), xmpPlaces, readXmp);
});

test('the same holds for a megabyte', (t) => {
  readAll(t, runsOf(xmpWords, xmpPairs), xmpPlaces.slice(0, 1), readXmp, 1_000_000);
});

test('the same holds for XMP with many external references', () => {
  const names: Run = {
    name: 'other names',
    of: (length) => Array.from({ length: length / 50 }, (_, i) => `xmlns:a${i}="http://purl.org/dc/terms/"`).join(' '),
  };
  assert.deepEqual(outOfProportion([names], 1_000_000, isSignedElsewhere), []);
});
