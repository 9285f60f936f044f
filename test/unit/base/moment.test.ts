import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countdownWords, timeWords, exactWords } from '../../../src/base/format';

const now = new Date(2026, 10, 21, 15, 30).getTime();

test('a time today is shown without a date', () => {
  assert.equal(timeWords(new Date(2026, 10, 21, 0, 5).getTime(), now, 'de'), '00:05');
});

test('a time yesterday is called that, even shortly before midnight', () => {
  assert.equal(timeWords(new Date(2026, 10, 20, 23, 59).getTime(), now, 'de'), 'gestern 23:59');
  assert.match(timeWords(new Date(2026, 10, 20, 14, 3).getTime(), now, 'en'), /^yesterday 2:03\sPM$/);
});

test('an earlier time has its date', () => {
  assert.match(timeWords(new Date(2026, 10, 18, 14, 3).getTime(), now, 'en'), /^Nov 18, 2026, 2:03\sPM$/);
});

test('a language that the runtime doesn’t know reads as English', () => {
  assert.match(timeWords(now, now, 'qps-ploc-x_'), /^3:30\sPM$/);
});

test('an exact time has its day, second, and time zone', () => {
  assert.match(exactWords(now + 7000, 'en'), /^Saturday, November 21, 2026 at 3:30:07\sPM \S+/);
  assert.match(exactWords(now, 'qps-ploc-x_'), /^Saturday, /);
});

test('remaining time is shown as a countdown', () => {
  assert.deepEqual([0, 9, 12, 75, 3725].map(countdownWords), ['0:00', '0:09', '0:12', '1:15', '1:02:05']);
});
