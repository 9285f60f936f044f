import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryRows } from '../../../../../src/features/renderFiles/model/pendingImages';
import { read } from '../../../renderFiles/reading';

test('each entry has the states of its own images, and one with an error has none', async () => {
  const file = await read({
    model: 'a/b/c',
    renders: [{ file: 'hero' }, { file: 'icon-{n}', for: { n: ['a', 'b'] } }, { file: '../outside' }],
  });
  const states = file.renders.map((render) => ({ render, state: { state: 'missing' } as const }));
  assert.deepEqual(
    entryRows(file, states).map((row) => row.states.map(({ render }) => render.target)),
    [['hero'], ['icon-a', 'icon-b'], []],
  );
});
