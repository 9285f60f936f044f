import assert from 'node:assert/strict';
import { test } from 'node:test';
import { englishFormStrings } from '../../../../../src/features/form/page/formMessages';
import { FormResults } from '../../../../../src/features/form/model/resultView';
import type { LibraryEntry } from '../../../../../src/renders/library';

/** Renders in progress since 0, and the data to show them. */
class Desk {
  readonly entries = new Map<string, LibraryEntry>();
  now = 1000;

  constructor(...ids: string[]) {
    for (const id of ids) this.put(id, { group: 'active', state: 'accepted' });
  }

  put(id: string, rest: Pick<LibraryEntry, 'group' | 'state'>): void {
    this.entries.set(id, { id, modelId: 'a/b/c', inputs: {}, startedAt: 0, ...rest });
  }

  news(results: FormResults): string | undefined {
    const world = {
      strings: englishFormStrings,
      model: undefined,
      blocker: () => undefined,
      picture: () => undefined,
      usualMs: () => undefined,
      isOffline: () => false,
      now: () => this.now,
    };
    return results
      .news(world)
      ?.map(({ id }) => id)
      .join(' ');
  }
}

test('the newest comes first, eight at most, and one started again moves to the front', () => {
  const results = new FormResults(new Desk().entries, ['2', '1']);
  for (const key of ['3', '4', '5', '6', '7', '8', '9']) results.add(key);
  assert.deepEqual(results.ids, ['9', '8', '7', '6', '5', '4', '3', '2']);
  results.add('4');
  assert.deepEqual(results.ids, ['4', '9', '8', '7', '6', '5', '3', '2']);
});

test('results count as changed when a person would see a difference, not because time passes', () => {
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
