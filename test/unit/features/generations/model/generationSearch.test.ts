import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchGenerations } from '../../../../../src/features/generations/model/generationGroups';
import { entry } from '../../../editor/entries';

const fox = entry({ prompt: 'A red FOX in the snow', modelId: 'paperlight/strata/strata-2' });
const sea = entry({ prompt: 'mer agitée', modelId: 'acme/text/haiku', file: 'file:///p/renders/2026-11-21%20fox.png' });
const wide = entry({ prompt: 'ｆｏｘ 狐', modelId: undefined });

const found = (query: string) => searchGenerations([fox, sea, wide], query);

test('a search finds every word in prompt, model, or file name, in any order and case', () => {
  assert.deepEqual(found('fox'), [fox, sea, wide]);
  assert.deepEqual(found('snow Fox'), [fox]);
  assert.deepEqual(found('fox STRATA'), [fox]);
  assert.deepEqual(found('2026-11 haiku'), [sea]);
  assert.deepEqual(found('agite\u0301e'), [sea]);
  assert.deepEqual(found('狐'), [wide]);
  assert.deepEqual(found('renders'), [], 'the folder is not the file’s name');
  assert.deepEqual(found('fox nowhere'), []);
});

test('a search without a word finds everything', () => {
  assert.equal(found('').length, 3);
  assert.equal(found('  \t ').length, 3);
});

test('a search matches text, not patterns', () => {
  assert.deepEqual(found('.*'), []);
  assert.deepEqual(found('('), []);
});

test('one of 5,000 renders is found by its words', () => {
  const many = Array.from({ length: 5000 }, (_, index) => entry({ prompt: `${'word '.repeat(60)}${index}` }));
  assert.equal(searchGenerations(many, 'word 4999').length, 1);
});
