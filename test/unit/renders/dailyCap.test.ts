import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../../src/catalog/errors';
import { capReachedAt } from '../../../src/renders/history';
import type { RenderRecord } from '../../../src/renders/record';
import { TestClock } from '../clock';
import { TestService } from './service';
import { folderFor, openWindow, order, ordered } from './world';

const refused = (endedAt: number) => ({ state: 'refused', problem: { code: 'dailyCap' }, endedAt }) as RenderRecord;
const charged = (acceptedAt: number) => ({ state: 'saved', acceptedAt }) as RenderRecord;

test('a cap is reached from its rejection until a render is charged', () => {
  assert.equal(capReachedAt([], 0), undefined);
  assert.equal(capReachedAt([charged(5), refused(10)], 0), 10);
  assert.equal(capReachedAt([refused(20), refused(10)], 0), 20);
  assert.equal(capReachedAt([refused(10), charged(11)], 0), undefined);
  assert.equal(capReachedAt([refused(10), charged(11), refused(12)], 0), 12);
});

test('yesterday’s cap says nothing about today', () => {
  assert.equal(capReachedAt([refused(10)], 10), 10);
  assert.equal(capReachedAt([refused(10)], 11), undefined);
});

test('other rejections aren’t a cap', () => {
  const low = { state: 'refused', problem: { code: 'balanceTooLow' }, endedAt: 10 } as RenderRecord;
  assert.equal(capReachedAt([low], 0), undefined);
});

test('the account learns of the cap from its own renders, and that it’s over when one is charged', async (t) => {
  const clock = new TestClock();
  const service = new TestService(clock);
  const window = await openWindow(t, folderFor(t), service, clock);
  service.fates = [new ServiceError('dailyCap', 'cap', { status: 409, code: 'API_KEY_DAILY_CAP' }), 'charged'];
  await ordered(window, order());
  assert.equal(window.library.capReachedSince(0), clock.now());
  await clock.advance(1000);
  await ordered(window, order());
  assert.equal(window.library.capReachedSince(0), undefined);
});
