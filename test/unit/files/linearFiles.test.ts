import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv } from '../../../src/features/spending/model/spendReport';
import { checkTemplate, fillTemplate } from '../../../src/files/template';
import { readProvenance, writeProvenance } from '../../../src/files/provenance';
import { addressIn } from '../../../src/features/account/model/serviceAddress';
import { longestConfig } from '../../../src/documents/site';
import { inputFacts } from '../../../src/features/origin/model/generationDetails';
import { oneLine, plain, manyLines } from '../../../src/base/plain';
import { readAll, runsOf, type Place } from '../runs';

const whole: Place = (run) => run;
const jsonWords = [
  ...[
    '\\"',
    '\\u',
    '\\u0000',
    '\\\\',
    '//',
    '/*',
    '*/',
    '// a\n',
    '/* a */',
    '"a":1,',
    '"a":',
    'null,',
    'true',
    '1e9',
    '-1',
  ],
  ...[
    '"modelCatalog.serviceUrl":"a",',
    '"settings":{',
    '${',
    '${a}',
    '${date}',
    '- ',
    '. ',
    ' .-',
    '$(',
    '](',
    'ai_live_',
    '://',
  ],
];
const jsonPairs = [
  ['[', ']'],
  ['{"a":', '}'],
  ['[[],', '1]'],
  ['"', '"'],
  ['/*', '*/'],
] as const;

const sidecarPlaces: readonly Place[] = [
  whole,
  (run) => `{"modelCatalogRender":1,"modelId":"a","inputs":{"a":${run}}}`,
  (run) => `{"modelCatalogRender":1,"modelId":"a","inputs":{"a":[${run}0]}}`,
  (run) => `{"modelCatalogRender":1,"modelId":"a","inputs":{${run}"a":0}}`,
  (run) => told({ modelId: 'a', inputs: {}, tool: run, orderedAt: run }),
  (run) => told({ modelId: 'a', inputs: { [run]: 1, list: [run, [run]] } }),
];

function told(facts: object): string {
  return JSON.stringify({ modelCatalogRender: 1, ...facts });
}

function readSidecar(text: string): void {
  const found = readProvenance(text);
  if (!found) return;
  inputFacts(found.inputs);
  oneLine(found.tool ?? '');
  plain(found.tool ?? '');
  manyLines(found.tool ?? '');
  readProvenance(writeProvenance(found, 2));
}

test('sidecar files are read, judged, and written in time proportional to their length', (t) => {
  readAll(t, runsOf(jsonWords, jsonPairs), sidecarPlaces, readSidecar);
});

test('the same holds for a megabyte', (t) => {
  readAll(t, runsOf(jsonWords, jsonPairs), [whole], readSidecar, 1_000_000);
});

test('settings are read in time proportional to their length', (t) => {
  const places: readonly Place[] = [
    whole,
    (run) => `{"modelCatalog.serviceUrl":"${run}"}`,
    (run) => `{"a":${run}}`,
    (run) => `{${run}"modelCatalog.serviceUrl":"a"}`,
    (run) => `{"settings":{"modelCatalog":{"baseUrl":${run}`,
  ];
  const read = (text: string): unknown => {
    try {
      return addressIn(text);
    } catch (error) {
      assert.ok(error instanceof RangeError, 'what nests too deep is refused');
      return undefined;
    }
  };
  readAll(t, runsOf(jsonWords, jsonPairs), places, read, longestConfig);
});

test('the same holds for the file names that settings produce', (t) => {
  const facts = { time: 0, modelId: 'a', prompt: 'a kite', id: 'gen_1', index: 1 };
  const places: readonly Place[] = [whole, (run) => `a${run}x`, (run) => '${' + run + '}x'];
  readAll(t, runsOf(jsonWords, [...jsonPairs, ['${', '}']]), places, (template) => {
    checkTemplate(template);
    fillTemplate(template, facts, () => ({ year: '', month: '', day: '', hour: '', minute: '', second: '' }));
  });
});

test('a table is written in time proportional to the length of its cells', (t) => {
  const places: readonly Place[] = [whole, (run) => `a${run}`, (run) => `${run}=1`, (run) => `;${run}a;${run}=`];
  const words = ['=1', ';=1', '; ', '\r\n', '\n=', ' "', "' ", '\t\n', ';"', '＝', '\n\n=', ',='];
  const runs = runsOf(words, [['"', '"']]);
  readAll(t, runs, places, (text) => csv([[text, text], [text]]));
  readAll(t, runs, [whole], (text) => csv([[text]]), 1_000_000);
});
