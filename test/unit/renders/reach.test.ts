import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutShort } from '../../../src/renders/ledgerRow';
import { tellsOf } from '../../../src/renders/reach';
import type { Connected } from '../../../src/renders/connected';
import type { RenderRecord } from '../../../src/renders/record';

const inputs = { prompt: 'a red kite', image: 'x'.repeat(100_000) };
const record = {
  ...{ place: 'https://models.example', account: 'account-1', generationId: 'g1', modelId: 'a/b/c' },
  ...{ inputs: cutShort(inputs), isApart: true },
} as Partial<RenderRecord> as RenderRecord;
const connected = { place: record.place, client: { account: 'account-2' } } as Connected;

test('another key for the account reads a render with large inputs, of which the record has only the beginnings', () => {
  const answer = { id: 'g1', status: 'succeeded', modelId: 'a/b/c' };
  assert.equal(tellsOf(record, { ...answer, inputs }, connected), true);
  assert.equal(tellsOf(record, { ...answer, inputs: { ...inputs, prompt: 'a blue kite' } }, connected), false);
  assert.equal(tellsOf(record, { ...answer, inputs: { ...inputs, image: 'another' } }, connected), false);
});
