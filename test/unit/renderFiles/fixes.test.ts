import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import type { Field } from '../../../src/catalog/fields';
import { fixesOf } from '../../../src/renderFiles/fixes';
import { checkModels } from '../../../src/renderFiles/modelCheck';
import { noImages, read } from './reading';

const stated = (name: string, more: Partial<Field>): Field => ({
  ...{ name, label: name, kind: 'integer', statedType: '', required: false },
  ...more,
});
const fields: readonly Field[] = [
  stated('steps', { minimum: 10, maximum: 50, step: 5 }),
  stated('size', { kind: 'choice', choices: ['small', 'large'].map((value) => ({ value, label: value })) }),
  stated('tiled', { kind: 'boolean' }),
];

/** The file after the first fix for its only problem; undefined if there is none. */
async function mended(text: string): Promise<string | undefined> {
  const file = await read(text);
  const check = await checkModels(file, (id) => (id === 'a/b/c' ? { fields } : 'none'), noImages, systemClock);
  const [problem, ...others] = [...file.problems, ...check.problems];
  assert.ok(problem && others.length === 0, 'there is one problem');
  const models = { fields: () => Promise.resolve(fields), ids: () => Promise.resolve(['x/y/z', 'a/b/c']) };
  const [fix] = await fixesOf(problem, text, file, models);
  return fix && text.slice(0, fix.start) + fix.text + text.slice(fix.end);
}

/** Fixes the inputs of an entry. */
async function mendedInputs(inputs: string): Promise<string | undefined> {
  const around = (inner: string) => `{ "model": "a/b/c", "renders": [{ "file": "hero", "inputs": { ${inner} } }] }`;
  const whole = await mended(around(inputs));
  return whole?.slice(around('').indexOf('inputs": {') + 11, -7);
}

test('an unknown input becomes the closest one of the model, and keeps its value', async () => {
  assert.equal(await mendedInputs('"setps" : 20'), '"steps" : 20');
});

test('an unknown input never becomes one that its entry has already, shared or omitted', async () => {
  assert.equal(await mendedInputs('"steps": 20, "stepps": 30'), '"steps": 20, "size": 30');
  assert.equal(await mendedInputs('"steps": null, "stepps": 30'), '"steps": null, "size": 30');
  assert.equal(await mendedInputs('"steps": 20, "size": "large", "tiled": true, "stepps": 30'), undefined);
  const text = (name: string) =>
    `{ "model": "a/b/c", "inputs": { "${name}": 30 }, "renders": [{ "file": "hero", "inputs": { "steps": 20 } }] }`;
  assert.equal(await mended(text('stepps')), text('size'));
});

test('a value with a variable has no fix, which would give all images the same', async () => {
  const text = (value: string) =>
    `{ "model": "a/b/c", "renders": [{ "file": "{of}", "for": { "of": ["large", "lrge"] }, "inputs": { "size": ${value} } }] }`;
  assert.equal(await mended(text('"{of}"')), undefined);
  assert.equal(await mended(text('"lrge"')), text('"large"'));
});

test('a value becomes the closest one that the model accepts', async () => {
  assert.equal(await mendedInputs('"steps": 60'), '"steps": 50');
  assert.equal(await mendedInputs('"steps": 1'), '"steps": 10');
  assert.equal(await mendedInputs('"steps": 22'), '"steps": 20');
  assert.equal(await mendedInputs('"size": "lrge"'), '"size": "large"');
  assert.equal(await mendedInputs('"tiled": "yes"'), '"tiled": true');
});

test('a model that the service no longer has becomes one of the same provider', async () => {
  const text = (id: string) => `{ "model": "${id}", "renders": [{ "file": "hero" }] }`;
  assert.equal(await mended(text('a/b/d')), text('a/b/c'));
});

test('an unknown style becomes the closest one', async () => {
  const text = (name: string) =>
    `{ "model": "a/b/c", "styles": { "flat": {} }, "renders": [{ "file": "hero", "style": "${name}" }] }`;
  assert.equal(await mended(text('falt')), text('flat'));
});

test('a value that a user has to choose has no fix', async () => {
  assert.equal(await mended('{ "model": "a/b/c", "renders": [{ "file": "../hero" }] }'), undefined);
});
