import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as ts from 'typescript';
import { type Language, languageOf, say, localized, translations, worded } from '../../../src/sandbox/problem';
import { modelOf, models } from '../../../src/sandbox/models';
import { call, failing, open, start, strata, until } from './service';

const languages = Object.keys(translations) as (keyof typeof translations)[];

/** What the sandbox's sources pass to `say`. */
function said(): string[] {
  const found: string[] = [];
  for (const file of readdirSync('src/sandbox', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(join('src/sandbox', file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.getText(source) === 'say') {
        const [sentence] = node.arguments;
        assert.ok(sentence && ts.isStringLiteralLike(sentence), `${file}: ${node.getText(source)}`);
        found.push(sentence.text);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

/** A value in words: neither a ratio nor a number. */
function isWords(value: string): boolean {
  return /\p{L}/u.test(value);
}

const fields = models.flatMap((model) => model.fields);
const texts = [
  ...said(),
  ...models.map(({ description }) => description),
  ...fields.flatMap(({ label, help }) => (help === undefined ? [label] : [label, help])),
  ...fields.flatMap((field) => ('examples' in field ? (field.examples ?? []) : [])),
  ...fields.flatMap((field) => ('values' in field ? field.values.filter(isWords) : [])),
];

for (const language of languages) {
  test(`the sandbox is translated in full: ${language}`, () => {
    const table: Readonly<Record<string, string>> = translations[language];
    assert.deepEqual(Object.keys(table).toSorted(), [...new Set(texts)].toSorted());
    for (const [english, text] of Object.entries(table)) {
      assert.notEqual(text.trim(), '', english);
      const places = (sentence: string) => (sentence.match(/\{\d\}/g) ?? []).toSorted();
      assert.deepEqual(places(text), places(english), text);
    }
  });

  test(`no two choices of a field have the same name: ${language}`, () => {
    for (const field of fields) {
      if (!('values' in field)) continue;
      const names = field.values.map((value) => localized(value, language));
      assert.deepEqual(
        names.filter((name, place) => names.indexOf(name) !== place),
        [],
      );
    }
  });
}

test('French and German sentences don’t break before their punctuation', () => {
  assert.deepEqual(
    Object.values(translations.fr).filter((text) => /« | [:;?!»]/.test(text)),
    [],
  );
  assert.deepEqual(
    Object.values(translations.de).filter((text) => text.includes(' …')),
    [],
  );
});

test('the preferred language of those the sandbox has is used, and English otherwise', () => {
  const cases: [string | undefined, Language][] = [
    [undefined, 'en'],
    ['', 'en'],
    ['de', 'de'],
    ['de-AT', 'de'],
    ['FR-ca, en;q=0.8', 'fr'],
    ['en, de', 'en'],
    ['de;q=0.4, ja;q=0.9', 'ja'],
    ['it, es;q=0.5', 'es'],
    ['de;q=0, fr;q=0.1', 'fr'],
    ['pt-br', 'en'],
    ['*', 'en'],
    ['__proto__, constructor', 'en'],
    [';;q=,,', 'en'],
  ];
  for (const [header, language] of cases) assert.equal(languageOf(header), language, header);
});

test('a sentence has its numbers as the language writes them, and what it mentions unchanged', () => {
  assert.equal(worded(say('must be from {0} to {1}.', 0.05, 4000), 'en'), 'must be from 0.05 to 4,000.');
  assert.equal(worded(say('must be from {0} to {1}.', 0.05, 4000), 'de'), 'muss zwischen 0,05 und 4.000 liegen.');
  assert.equal(worded(say('There is no model “{0}”.', '{1} $&'), 'de'), 'Das Modell „{1} $&“ gibt es nicht.');
});

test('models, fields, and choices are in the caller’s language, and what is sent stays the same', async (t) => {
  const sandbox = await open(t);
  const headers = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' };
  const { models: list } = (await call(sandbox, 'GET', '/models', { headers })).json as {
    models: { id: string; name: string; description: string }[];
  };
  const first = list.find(({ id }) => id === strata);
  assert.deepEqual(
    [first?.name, first?.description],
    ['Strata 2', 'Landschaften aus geschichtetem Papierschnitt, mit weichen Schatten.'],
  );
  const detail = (await call(sandbox, 'GET', `/models/detail?id=${strata}`, { headers })).json as {
    fields: { name: string; label: string; help: string; values?: unknown[]; default?: unknown }[];
  };
  const [ratio, size] = ['aspect_ratio', 'size'].map((name) => detail.fields.find((field) => field.name === name));
  assert.deepEqual([ratio?.label, ratio?.values?.[0]], ['Seitenverhältnis', '1:1']);
  assert.equal(size?.help, 'Kleinere Bilder kosten weniger.');
  assert.deepEqual(size.values, [
    { value: 'small', label: 'klein' },
    { value: 'medium', label: 'mittel' },
    { value: 'large', label: 'groß' },
  ]);
  assert.equal(size.default, 'large');
  const plain = (await call(sandbox, 'GET', `/models/detail?id=${strata}`)).json;
  assert.deepEqual(plain.fields, JSON.parse(JSON.stringify(modelOf(strata)?.fields)));
});

test('a long list of choices is in alphabetical order in each language', async (t) => {
  const sandbox = await open(t);
  const headers = { 'accept-language': 'de' };
  const { json } = await call(sandbox, 'GET', '/models/detail?id=thin-line/contour/contour-1', { headers });
  const ink = (json.fields as { name: string; values: { label: string }[] }[]).find(({ name }) => name === 'ink');
  const labels = ink?.values.map(({ label }) => label) ?? [];
  assert.equal(labels.length, 72);
  assert.deepEqual(labels, labels.toSorted(new Intl.Collator('de').compare));
});

test('problems and reasons are in the caller’s language, and their codes and fields stay the same', async (t) => {
  const sandbox = await open(t);
  const headers = { 'accept-language': 'de' };
  const body = { modelId: strata, inputs: { prompt: '', colour: 1 } };
  assert.deepEqual((await call(sandbox, 'POST', '/quote', { headers, body })).json, {
    code: 'INVALID_INPUT',
    message: 'colour: ist kein Feld dieses Modells. prompt: darf nicht leer sein.',
    details: [
      { field: 'colour', message: 'ist kein Feld dieses Modells.' },
      { field: 'prompt', message: 'darf nicht leer sein.' },
    ],
  });
  const refused = await call(sandbox, 'GET', '/me', { headers, key: null });
  assert.deepEqual(refused.json, {
    code: 'UNAUTHORIZED',
    message: 'Der API-Schlüssel fehlt, ist falsch oder wurde widerrufen.',
  });
  const { id } = (await start(sandbox, failing, { prompt: 'a fox' })).json;
  await until(sandbox, id, 'failed', 'refunded');
  const { json } = await call(sandbox, 'GET', `/generations/${String(id)}`, { headers });
  assert.equal(json.reason, 'Dieses Modell schlägt immer fehl, damit Sie sehen, was dann passiert.');
});

test('a repeated order in another language is still the same order', async (t) => {
  const sandbox = await open(t);
  const repeat = (language: string) =>
    call(sandbox, 'POST', '/generations', {
      headers: { 'idempotency-key': 'k', 'accept-language': language },
      body: { modelId: strata, inputs: { prompt: 'a fox' } },
    });
  assert.equal((await repeat('de')).json.id, (await repeat('fr')).json.id);
  assert.equal(sandbox.balance(), 2496);
});
