import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { changesOf, groupGenerations } from '../../../../../src/features/generations/model/generationGroups';
import type { LibraryEntry } from '../../../../../src/renders/library';
import { entry } from '../../../editor/entries';

const timeZone = process.env['TZ'];
afterEach(() => {
  if (timeZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = timeZone;
});

function outline(entries: readonly LibraryEntry[], now: number): unknown {
  return groupGenerations(entries, now).map(({ id, entries: own }) => [id, own.map(({ startedAt }) => startedAt)]);
}

test('groups are in a fixed order, without empty ones', () => {
  const now = Date.now();
  const entries = (['finished', 'notSent', 'unknown', 'paidNotSaved', 'active'] as const).map((group) =>
    entry({ group, startedAt: now }),
  );
  assert.deepEqual(
    groupGenerations(entries, now).map(({ id }) => id),
    ['active', 'paidNotSaved', 'unknown', 'notSent', 'today'],
  );
  assert.deepEqual(groupGenerations([], now), []);
});

test('days are the user’s own: the same moment is today here and yesterday there', () => {
  const started = Date.UTC(2026, 10, 21, 23, 30);
  const now = Date.UTC(2026, 10, 22, 0, 30);
  const group = (zone: string) => {
    process.env['TZ'] = zone;
    return groupGenerations([entry({ startedAt: started })], now)[0]?.id;
  };
  assert.equal(group('UTC'), 'yesterday');
  assert.equal(group('America/New_York'), 'today');
});

test('at midnight, they advance', () => {
  process.env['TZ'] = 'Europe/Berlin';
  const midnight = new Date(2026, 10, 22).getTime();
  const [first, second] = [midnight - 1, midnight];
  const entries = [entry({ startedAt: second }), entry({ startedAt: first })];
  assert.deepEqual(outline(entries, midnight), [
    ['today', [second]],
    ['yesterday', [first]],
  ]);
  const next = new Date(2026, 10, 23).getTime();
  assert.deepEqual(outline(entries, next - 1), outline(entries, midnight));
  assert.deepEqual(outline(entries, next), [
    ['yesterday', [second]],
    ['earlier', [first]],
  ]);
});

test('yesterday is all of the previous day, even if the clocks changed', () => {
  process.env['TZ'] = 'Europe/Berlin';
  // There, 25 October 2026 has 25 hours and 29 March 2026 has 23.
  for (const [month, day] of [
    [9, 25],
    [2, 29],
  ] as const) {
    const begin = new Date(2026, month, day).getTime();
    const now = new Date(2026, month, day + 1, 12).getTime();
    assert.deepEqual(outline([entry({ startedAt: begin }), entry({ startedAt: begin - 1 })], now), [
      ['yesterday', [begin]],
      ['earlier', [begin - 1]],
    ]);
  }
});

test('a render without a time is under Earlier, and one from a clock that runs ahead is under Today', () => {
  const now = Date.now();
  const entries = [entry({ startedAt: now + 3 * 86_400_000 }), entry({ startedAt: undefined })];
  assert.deepEqual(
    groupGenerations(entries, now).map(({ id }) => id),
    ['today', 'earlier'],
  );
});

test('if a render changes in place, only that one is read again', () => {
  const now = Date.now();
  const [one, two, old] = [entry({ startedAt: now }), entry({ startedAt: now }), entry({ startedAt: 0 })];
  const changed = { ...two, costCents: 4 };
  const changes = changesOf(groupGenerations([one, two, old], now), groupGenerations([one, changed, old], now));
  assert.deepEqual(changes, { all: false, groups: [], entries: [['today', changed]] });
});

test('a group that gains or loses a render is read again, and the others aren’t', () => {
  const now = Date.now();
  const active = entry({ group: 'active', startedAt: now });
  const ended = entry({ group: 'active', startedAt: now });
  const [today, old] = [entry({ startedAt: now }), entry({ startedAt: 0 })];
  const before = groupGenerations([active, ended, today, old], now);
  const after = groupGenerations([active, { ...ended, group: 'finished' }, today, old], now);
  assert.deepEqual(changesOf(before, after), { all: false, groups: ['active', 'today'], entries: [] });
});

test('everything is refreshed when a group appears or disappears', () => {
  const now = Date.now();
  const old = entry({ startedAt: 0 });
  const before = groupGenerations([old], now);
  assert.equal(changesOf(before, groupGenerations([entry({ startedAt: now }), old], now)).all, true);
  assert.equal(changesOf(before, before).all, false);
});

test('a change to one of 5,000 renders redraws one row', () => {
  const now = Date.now();
  const entries = Array.from({ length: 5000 }, (_, index) => entry({ startedAt: now - index * 600_000 }));
  const before = groupGenerations(entries, now);
  const after = groupGenerations([{ ...entries[0]!, costCents: 4 }, ...entries.slice(1)], now);
  assert.equal(changesOf(before, after).entries.length, 1);
});
