import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outlines } from '../../../src/renders/outline';
import { record } from './records';

test('a model, an agent, and a folder that are named alike stay apart in every order', () => {
  const root = 'file:///project';
  const records = [
    record({ index: 1, target: { folder: '', fileName: 'a' }, modelId: 'gone' }),
    record({ index: 2, modelId: '', agent: root, target: { root, folder: '', fileName: 'b' } }),
    record({ index: 3, modelId: root, agent: 'gone', problem: { code: 'gone' } }),
  ];
  for (const order of [records, records.toReversed()]) {
    const outlines = new Outlines(3);
    for (const one of order) outlines.put(one);
    for (const { index, modelId, agent, target, problem } of records) {
      const outline = outlines.get(index);
      assert.deepEqual(
        [outline?.modelId, outline?.agent, outline?.target, outline?.problem],
        [modelId, agent, { root: target.root }, problem && { code: problem.code }],
      );
    }
  }
});
