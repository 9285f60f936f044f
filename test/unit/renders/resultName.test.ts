import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendar } from '../../../src/files/calendar';
import { resultName } from '../../../src/renders/placement';

const render = {
  plannedAt: Date.UTC(2026, 10, 22),
  modelId: 'paperlight/strata/strata-2',
  inputs: { prompt: 'A harbour at dusk' },
  index: 7,
};

test('a result is named by its render and the template, also before the service gave it an ID', () => {
  const named = (fileName: string) => resultName(render, { folder: '', fileName }, calendar('UTC'));
  assert.equal(named('${slug}-${model}'), 'a-harbour-at-dusk-strata-2');
  assert.equal(named('${date}-${index}'), '2026-11-22-7');
  assert.equal(named('${slug}-${id}'), 'a-harbour-at-dusk');
});

test('a result for a file that a document names has exactly that name', () => {
  assert.equal(resultName(render, { folder: '', fileName: '${slug}', ending: 'png' }, calendar('UTC')), '${slug}');
});
