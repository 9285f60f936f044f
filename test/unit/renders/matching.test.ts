import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesOf, possibleMatchesOf } from '../../../src/renders/matching';
import { record } from './records';

const year = 365 * 86_400_000;
const inputs = { prompt: 'a kite' };

test('a machine clock that was set neither rules out a match with another render’s generation nor proves one', () => {
  const sent = record({ inputs, firstSentAt: year, firstSentServiceTime: undefined });
  const listed = { id: 'g1', modelId: sent.modelId, inputs, createdAt: 1000, status: 'pending' } as const;
  assert.deepEqual(matchesOf(sent, [listed]), []);
  assert.deepEqual(possibleMatchesOf(sent, [listed]), [listed]);
  const known = { ...sent, firstSentServiceTime: year };
  assert.deepEqual(possibleMatchesOf(known, [listed]), [], 'the service’s own clock rules it out');
});
