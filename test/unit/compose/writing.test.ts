import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Field } from '../../../src/catalog/fields';
import { asInstruction, asPrompt } from '../../../src/compose/writing';

function field(name: string, kind: Field['kind']): Field {
  return { name, label: name, kind, statedType: kind, required: true };
}

const instruct = asInstruction('The material.\n');

test('a prompt fills the prompt’s field without surrounding blanks', () => {
  assert.deepEqual(asPrompt.values([field('title', 'text'), field('prompt', 'text')], '  a fox '), [
    ['prompt', 'a fox'],
  ]);
  assert.deepEqual(asPrompt.values([field('steps', 'integer')], 'a fox'), []);
});

test('without a field for them, instructions precede the material', () => {
  assert.deepEqual(instruct.values([field('text', 'longText')], ' Shorten '), [['text', 'Shorten\n\nThe material.\n']]);
  assert.deepEqual(instruct.values([field('text', 'longText')], '  '), [['text', 'The material.\n']]);
});

test('a field for instructions gets them, however the service separates its words', () => {
  for (const name of ['system', 'System_Prompt', 'systemPrompt', 'instruction', 'system-instructions'])
    assert.deepEqual(instruct.values([field(name, 'longText'), field('prompt', 'text')], 'Shorten'), [
      ['prompt', 'The material.\n'],
      [name, 'Shorten'],
    ]);
});

test('fields that may not be for instructions, or leave no room for the material, aren’t used for them', () => {
  const composed = 'Shorten\n\nThe material.\n';
  const cases: readonly (readonly [fields: readonly Field[], into: string])[] = [
    [[field('style', 'text'), field('prompt', 'longText')], 'prompt'],
    [[field('system', 'choice'), field('prompt', 'longText')], 'prompt'],
    [[field('instructions', 'longText')], 'instructions'],
    [[field('instructions', 'longText'), field('title', 'text')], 'instructions'],
  ];
  for (const [fields, into] of cases) assert.deepEqual(instruct.values(fields, 'Shorten'), [[into, composed]]);
});
