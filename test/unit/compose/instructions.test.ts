import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Instructions } from '../../../src/compose/instructions';

function memory(kept?: unknown) {
  return { get: () => kept, update: (_: string, value: unknown) => Promise.resolve(void (kept = value)) };
}

test('earlier instructions are available again, each once and latest first', async () => {
  const instructions = new Instructions(memory());
  for (const text of ['shorten', ' translate to French ', 'shorten', '  ']) await instructions.keep(text);
  assert.deepEqual(instructions.read(), ['shorten', 'translate to French']);
});

test('only the most recent are kept, and anything else in the storage is ignored', async () => {
  const instructions = new Instructions(memory({ not: 'a list' }));
  for (let number = 0; number < 40; number++) await instructions.keep(`do ${number}`);
  assert.equal(instructions.read().length, 12);
  assert.equal(instructions.read()[0], 'do 39');
});

test('an instruction that is part of a forgotten prompt is forgotten, and no other', async () => {
  const instructions = new Instructions(memory());
  for (const text of ['shorten', 'translate to French']) await instructions.keep(text);
  await instructions.forget('translate to French\n\nThe lighthouse');
  assert.deepEqual(instructions.read(), ['shorten']);
});
