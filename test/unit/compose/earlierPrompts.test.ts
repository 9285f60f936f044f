import assert from 'node:assert/strict';
import { test } from 'node:test';
import { earlierPrompts } from '../../../src/compose/earlierPrompts';
import type { LibraryEntry } from '../../../src/renders/library';
import type { RenderRecord } from '../../../src/renders/record';

const project = 'file:///project';

function made(prompt: string, root: string | undefined, rest: Partial<LibraryEntry> & { isApart?: boolean } = {}) {
  const record = { inputs: { prompt }, target: { root, folder: '', fileName: '' }, isApart: rest.isApart };
  return { record: record as unknown as RenderRecord, mediaType: 'image/png', ...rest } as LibraryEntry;
}

test('earlier prompts are those of this project for this kind of model, each once, the latest first', () => {
  const entries = [
    made('a fox', project),
    made('a hare', 'file:///other'),
    made('make it shorter', project, { mediaType: 'text/markdown' }),
    made('a deer', project, { mediaType: undefined }),
    made('a fox ', project),
    made('  ', project),
    made('the beginning of a long', project, { isApart: true }),
    made('without a folder', undefined),
    { inputs: { prompt: 'elsewhere' } } as unknown as LibraryEntry,
  ];
  assert.deepEqual(earlierPrompts(entries, [project], 'image'), ['a fox', 'a deer']);
  assert.deepEqual(earlierPrompts(entries, [project], undefined), ['a fox', 'make it shorter', 'a deer']);
  assert.deepEqual(earlierPrompts(entries, [], 'image'), ['without a folder']);
});
