import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ServiceError } from '../../../../../src/catalog/errors';
import type { SessionState } from '../../../../../src/catalog/session';
import { contentAfter, isWorthReading, unlisted } from '../../../../../src/features/models/model/modelGroups';

for (const [kind, status, content] of [
  ['noAnswer', undefined, 'offline'],
  ['status', 503, 'offline'],
  ['tooManyRequests', 429, 'limited'],
  ['dailyCap', 409, 'limited'],
  ['keyRefused', 401, 'keyRefused'],
  ['status', 404, 'failed'],
  ['unreadable', 200, 'failed'],
] as const)
  test(`after ${kind} ${status ?? ''}, the view shows “${content}”`, () =>
    assert.equal(contentAfter(new ServiceError(kind, 'as scripted', { status })), content));

test('every reason for an empty view has its own welcome text', () => {
  const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly contributes: { readonly viewsWelcome: readonly { readonly view: string; readonly when?: string }[] };
  };
  const conditions = contributes.viewsWelcome.flatMap(({ view, when }) => (view === 'modelCatalog.models' ? when : []));
  assert.deepEqual(conditions.sort(), unlisted.map((content) => `modelCatalog.modelsView == ${content}`).sort());
});

test('a list that the service limited is read again once the pause is over, and not before', () => {
  const connected: SessionState = { status: 'connected' };
  const waiting: SessionState = { ...connected, quietUntil: 1000 };
  assert.deepEqual(
    [isWorthReading('limited', false, waiting), isWorthReading('limited', false, connected)],
    [false, true],
  );
  assert.deepEqual([isWorthReading('listed', true, waiting), isWorthReading('listed', true, connected)], [false, true]);
  assert.equal(isWorthReading('listed', false, connected), false);
});

test('a missing list is read again once the service responds', () => {
  for (const content of ['offline', 'keyRefused'] as const)
    assert.deepEqual(
      (['offline', 'connected'] as const).map((status) => isWorthReading(content, false, { status })),
      [false, true],
    );
});
