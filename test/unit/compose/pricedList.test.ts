import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frozenInputs } from '../../../src/base/json';
import {
  changePrompt,
  draftList,
  type ListItem,
  PricedList,
  type Pricing,
  type Stated,
} from '../../../src/compose/pricedList';
import type { Draft } from '../../../src/renders/record';
import { settled } from '../clock';
import { deferred } from '../deferred';

/** A list of these, of which each waits for the test's response to its price. */
function listOf(ids: string, ticked: string, more: Partial<Pricing<ListItem, Stated>> = {}) {
  const asked: string[] = [];
  const signals: AbortSignal[] = [];
  const open = new Map<string, ReturnType<typeof deferred<number | undefined>>>();
  const itemOf = (id: string, question = id): ListItem => ({ id, question });
  const list = new PricedList(
    Array.from(ids, (id) => itemOf(id)),
    new Set(ticked),
    {
      concurrency: 2,
      price: async ({ id, question = '' }, signal) => {
        asked.push(question);
        signals.push(signal);
        const answer = deferred<number | undefined>();
        open.set(question, answer);
        return id === '-' ? undefined : { shownCents: await answer.promise };
      },
      ...more,
    },
  );
  return {
    ...{ list, asked, signals, itemOf },
    tick: (selected: string) => list.tick(new Set(selected)),
    answer: (question: string, cents: number | undefined) => (open.get(question)?.resolve(cents), settled()),
    fail: (question: string, error: Error) => (open.get(question)?.reject(error), settled()),
    agreed: () => list.agreed.map(({ item, cents }) => `${item.id} ${cents}`).join(),
    ticked: () => list.ticked.map(({ item }) => item.id).join(''),
  };
}

test('what is selected is priced in order, a few at a time, each is shown as it arrives, and summed up', async () => {
  const { list, asked, answer, agreed } = listOf('abcdx', 'abcd');
  assert.deepEqual([asked.join(''), list.isAsking, list.isAgreed], ['ab', true, false]);
  await answer('b', 2);
  assert.deepEqual([asked.join(''), agreed(), list.sumCents], ['abc', 'b 2', 2]);
  await answer('a', 1);
  await answer('d', 4);
  await answer('c', 3);
  assert.deepEqual([asked.join(''), agreed(), list.sumCents], ['abcd', 'a 1,b 2,c 3,d 4', 10]);
  assert.deepEqual([list.isAsking, list.isAgreed], [false, true]);
});

test('what is selected or asked for while others are priced is priced with them', async () => {
  const { list, asked, tick, answer, ticked } = listOf('abcd', 'a');
  tick('ab');
  void list.ask(['d']);
  tick('abc');
  for (const id of 'abcd') await answer(id, 1);
  assert.deepEqual([asked.join(''), list.isAsking, ticked()], ['abcd', false, 'abc']);
  assert.deepEqual(
    list.rows.map(({ price }) => price.is),
    ['known', 'known', 'known', 'known'],
  );
});

test('only what is shown with its price can be ordered', async () => {
  const { list, tick, answer, fail, agreed } = listOf('abc', 'abc');
  await answer('a', 4);
  await answer('b', undefined);
  await fail('c', new Error('no'));
  assert.deepEqual([agreed(), list.isAgreed], ['a 4', false]);
  tick('a');
  assert.equal(list.isAgreed, true);
  tick('');
  assert.equal(list.isAgreed, false);
});

test('a rejected one doesn’t stop the others, but one that would meet all of them does, until somebody acts', async () => {
  const gone = new Error('gone');
  const { list, asked, tick, answer, fail } = listOf('abcdef', 'abcdef', { stopsAt: (error) => error === gone });
  await fail('a', new Error('no'));
  assert.equal(asked.join(''), 'abc');
  await fail('b', gone);
  await answer('c', 3);
  assert.deepEqual([asked.join(''), list.problem, list.isAsking], ['abc', gone, false]);
  assert.deepEqual(list.rows.map(({ price }) => price.is).slice(0, 4), ['failed', 'failed', 'known', 'notAsked']);
  tick('ade');
  assert.deepEqual([asked.join(''), list.problem], ['abcde', undefined]);
});

test('prices that are renewed are requested again for the selection alone', async () => {
  const { list, asked, tick, answer, agreed } = listOf('ab', 'ab');
  await answer('a', 1);
  await answer('b', 2);
  tick('b');
  const renewing = list.renew();
  assert.deepEqual([asked.join(''), list.isAgreed], ['abb', false]);
  await answer('b', 3);
  await renewing;
  assert.equal(agreed(), 'b 3');
});

test('what changes while it’s priced gets no price meant for what it was, and keeps its own if it’s still the same', async () => {
  const { list, asked, itemOf, answer, agreed } = listOf('a', 'a');
  list.put([itemOf('a', 'A')]);
  await answer('a', 1);
  assert.deepEqual([asked.join(), agreed()], ['a,A', '']);
  await answer('A', 2);
  list.put([{ ...itemOf('a', 'A'), isFree: false }]);
  assert.deepEqual([asked.join(), agreed()], ['a,A', 'a 2']);
});

test('once the list is closed, requests in progress are canceled, and nothing more is requested or shown', async () => {
  const { list, asked, signals, answer, agreed } = listOf('abc', 'abc');
  let shown = 0;
  list.onDidChange(() => (shown += 1));
  const all = list.settled();
  list.dispose();
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, true],
  );
  await answer('a', 1);
  await answer('b', 1);
  await all;
  assert.deepEqual([asked.join(''), agreed(), shown], ['ab', '', 0]);
});

test('what turns out not to belong to the list leaves it', async () => {
  const { list } = listOf('a-', 'a-');
  await settled();
  assert.deepEqual(
    list.rows.map(({ item }) => item.id),
    ['a'],
  );
});

function draft(intent: string): Draft {
  const target = { folder: '', fileName: intent };
  return { intent, modelId: 'a/b/c', inputs: frozenInputs({ prompt: intent }), target };
}

test('what needs no render is listed and can be deselected, but is neither priced nor ordered', async () => {
  const asked: string[] = [];
  const wanted = [
    { title: 'Refit', draft: draft('free'), isFree: true },
    { title: 'A', draft: draft('paid') },
  ];
  const list = draftList(wanted, (one) => {
    asked.push(one.intent);
    return Promise.resolve({ ...one, shownCents: 4, account: 'account-1' });
  });
  await list.settled();
  assert.deepEqual([asked, list.isAgreed], [['paid'], true]);
  const chosen = () => [list.agreed.map(({ item }) => item.id), list.free.map(({ id }) => id)];
  assert.deepEqual(chosen(), [['paid'], ['free']]);
  list.tick(new Set(['paid']));
  assert.deepEqual(chosen(), [['paid'], []]);
  list.tick(new Set(['free']));
  assert.deepEqual([chosen(), list.isAgreed], [[[], ['free']], true]);
});

test('drafts apart are listed, and neither selected nor priced at first', async () => {
  const asked: string[] = [];
  const wanted = [
    { title: 'A', draft: draft('own') },
    { title: 'A', draft: draft('other'), startsUnticked: true },
  ];
  const list = draftList(wanted, (one) => {
    asked.push(one.intent);
    return Promise.resolve({ ...one, shownCents: 4, account: 'account-1' });
  });
  await list.settled();
  assert.deepEqual([list.rows.length, list.ticked.map(({ item }) => item.id), asked], [2, ['own'], ['own']]);
});

test('another prompt is what gets priced and ordered; an empty one changes nothing', async () => {
  const wanted = [{ title: 'A', draft: draft('a kite'), promptField: 'prompt' }];
  const list = draftList(wanted, (one) => {
    const prompt = one.inputs['prompt'] as string;
    return Promise.resolve({ ...one, shownCents: prompt.length, account: 'account-1' });
  });
  list.tick(new Set());
  await changePrompt(list, 'a kite', ' ');
  await changePrompt(list, 'a kite', 'an owl at night');
  assert.deepEqual([list.ticked, list.rows[0]?.price.is], [[], 'known']);
  list.tick(new Set(['a kite']));
  const [agreed] = list.agreed;
  assert.deepEqual([agreed?.priced.inputs, agreed?.cents], [{ prompt: 'an owl at night' }, 15]);
  assert.deepEqual([agreed?.item.prompt, agreed?.item.isChanged], ['an owl at night', true]);
});
