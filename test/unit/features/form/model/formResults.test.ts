import assert from 'node:assert/strict';
import { test } from 'node:test';
import { englishFormStrings, type ResultView } from '../../../../../src/features/form/page/formMessages';
import { FormResults } from '../../../../../src/features/form/model/resultView';
import { type LibraryEntry, seenCentsOf } from '../../../../../src/renders/library';

/** Renders in progress since 0, and the data to show them. */
class Desk {
  readonly entries = new Map<string, LibraryEntry>();
  now = 1000;

  constructor(...ids: string[]) {
    for (const id of ids) this.put(id, { group: 'active', state: 'accepted' });
  }

  put(id: string, rest: Partial<LibraryEntry> & Pick<LibraryEntry, 'group'>): void {
    this.entries.set(id, { id, modelId: 'a/b/c', inputs: {}, startedAt: 0, ...rest });
  }

  news(results: FormResults): string | undefined {
    return this.views(results)
      ?.map(({ id }) => id)
      .join(' ');
  }

  views(results: FormResults): ResultView[] | undefined {
    const world = {
      strings: englishFormStrings,
      model: undefined,
      blocker: () => undefined,
      image: () => undefined,
      usualMs: () => undefined,
      postponed: { has: () => false },
      isOffline: () => false,
      now: () => this.now,
    };
    return results.news(world);
  }
}

test('the newest comes first, sixteen at most, and one started again moves to the front', () => {
  const numbers = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => `${from - index}`);
  const results = new FormResults(new Desk().entries, ['2', '1']);
  for (const key of numbers(17, 3).reverse()) results.add(key);
  assert.deepEqual(results.ids, numbers(17, 2));
  results.add('4');
  assert.deepEqual(results.ids, ['4', ...numbers(17, 5), '3', '2']);
});

test('what one press ordered together stays together until only one is left, or another press takes its place', () => {
  const results = new FormResults(new Desk().entries, ['old']);
  for (const key of ['a', 'b', 'c']) results.add(key, ['a', 'b', 'c', 'not started']);
  assert.deepEqual(results.variants, ['a', 'b', 'c']);
  results.add('single');
  results.remove(['b']);
  assert.deepEqual(
    [results.variants, results.ids],
    [
      ['a', 'c'],
      ['single', 'c', 'a', 'old'],
    ],
  );
  results.remove(['a', 'not started']);
  assert.deepEqual([results.variants, results.ids], [[], ['single', 'c', 'old']]);
});

test('results count as changed when a user would see a difference, not because time passes', () => {
  const desk = new Desk('1', '2');
  const results = new FormResults(desk.entries, ['2', '1', 'gone']);
  assert.equal(desk.news(results), '2 1');
  desk.now = 5000;
  assert.equal(desk.news(results), undefined);
  desk.put('1', { group: 'finished', state: 'saved' });
  assert.equal(desk.news(results), '2 1');
  results.forgetShown();
  assert.equal(desk.news(results), '2 1');
});

test('Render Again has the price that a press agrees to: what was charged, else the quote, and no price for nothing', () => {
  const cases: readonly [Partial<LibraryEntry>, number | undefined][] = [
    [{ state: 'saved', costCents: 3, shownCents: 4 }, 3],
    [{ state: 'saved', shownCents: 4 }, 4],
    [{ state: 'refunded', costCents: 6, shownCents: 4 }, 6],
    [{ state: 'refunded', shownCents: 4 }, undefined],
    [{ state: 'refused', shownCents: 4 }, undefined],
    [{ state: 'failed', costCents: 0, shownCents: 4 }, undefined],
  ];
  const desk = new Desk();
  for (const [index, [entry]] of cases.entries()) desk.put(String(index), { group: 'finished', ...entry });
  const views = desk.views(new FormResults(desk.entries, [...cases.keys()].map(String)));
  assert.deepEqual(
    views?.map(({ againCents }) => againCents),
    cases.map(([, cents]) => cents),
  );
  for (const [index, view] of views.entries())
    assert.equal(view.againCents, seenCentsOf(desk.entries.get(String(index))!) || undefined);
});
