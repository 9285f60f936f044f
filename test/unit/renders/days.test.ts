import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { dayOf, daysBetween, monthsBetween } from '../../../src/renders/spendSums';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test('a day is one on the user’s own calendar', () => {
  const moment = Date.UTC(2026, 2, 1, 4, 30);
  process.env['TZ'] = 'America/New_York';
  assert.equal(dayOf(moment), '2026-02-28');
  process.env['TZ'] = 'Asia/Tokyo';
  assert.equal(dayOf(moment), '2026-03-01');
});

for (const name of ['Europe/Berlin', 'America/Santiago', 'Pacific/Apia', 'UTC']) {
  test(`every day is listed once, even where the clocks change: ${name}`, () => {
    process.env['TZ'] = name;
    const days = daysBetween(new Date(2026, 2, 25, 23, 59).getTime(), new Date(2026, 3, 6, 0, 1).getTime());
    for (const [index, { to }] of days.entries()) assert.equal(to, days[index + 1]?.from ?? Infinity);
    const names = days.map(({ key }) => key);
    assert.deepEqual(names, [
      ...['2026-03-25', '2026-03-26', '2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31'],
      ...['2026-04-01', '2026-04-02', '2026-04-03', '2026-04-04', '2026-04-05', '2026-04-06'],
    ]);
  });
}

test('every month is listed once, even from the last day of a long one', () => {
  const months = monthsBetween(new Date(2025, 11, 31).getTime(), new Date(2026, 2, 1).getTime());
  assert.deepEqual(
    months.map(({ key }) => key),
    ['2025-12', '2026-01', '2026-02', '2026-03'],
  );
});
