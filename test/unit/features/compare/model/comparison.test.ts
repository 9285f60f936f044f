import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../../../src/base/log';
import {
  decisions,
  englishCompareStrings,
  type ImageView,
  type ToCompare,
} from '../../../../../src/features/compare/page/compareMessages';
import { CompareConversation } from '../../../../../src/features/compare/model/compareConversation';
import {
  type Comparison,
  Comparisons,
  pairTitle,
  stagedOn,
} from '../../../../../src/features/compare/model/comparison';

function comparison(id: string): Comparison {
  const images = ['a', 'b'].map((name) => ({ title: name, uri: `file:///project/${name}.png` }));
  return { id, images: images, mode: 'slider' };
}

function store(values = new Map<string, unknown>()) {
  return {
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void values.set(key, JSON.parse(JSON.stringify(value)))),
  };
}

test('once renders are forgotten, a stored comparison has no text about its images', async () => {
  const comparisons = new Comparisons(store());
  const { images: pictures, ...rest } = comparison('c1');
  await comparisons.keep({ ...rest, images: pictures.map((one) => ({ ...one, detail: 'a secret heron' })) });
  await comparisons.forgetDetails();
  assert.deepEqual(comparisons.get('c1'), comparison('c1'));
});

test('comparisons are kept until their page is closed, and the oldest are forgotten', async () => {
  const values = new Map<string, unknown>();
  const comparisons = new Comparisons(store(values));
  for (let index = 0; index < 41; index++) await comparisons.keep(comparison(`c${index}`));
  assert.equal(comparisons.get('c0'), undefined);
  assert.deepEqual(comparisons.get('c40'), comparison('c40'));
  await comparisons.forget('c40');
  assert.equal(comparisons.get('c40'), undefined);
  values.set('comparisons', [{ id: 'c1', images: [] }]);
  assert.equal(comparisons.get('c1'), undefined);
});

test('a page receives what it compares, and only the latest of several reads of the files', async () => {
  const posted: ToCompare[] = [];
  const decided: string[] = [];
  const looks: ((images: ImageView[]) => void)[] = [];
  const conversation = new CompareConversation({
    comparison: comparison('one'),
    log: silentLog,
    strings: englishCompareStrings,
    locale: 'en',
    images: () => new Promise((resolve) => looks.push(resolve)),
    areIdentical: () => Promise.resolve(false),
    edit: () => Promise.resolve(),
    decide: (decision) => Promise.resolve(void decided.push(decision)),
    post: (message) => posted.push(message),
  });
  conversation.refresh();
  assert.equal(looks.length, 0, 'nobody is there to be told');
  conversation.receive({ type: 'ready' });
  conversation.refresh();
  const images = (bytes: number) => ['a', 'b'].map((title) => ({ title, bytes }));
  looks[1]?.(images(2));
  looks[0]?.(images(1));
  await new Promise(setImmediate);
  assert.deepEqual(
    posted.map((message) => (message.type === 'comparison' ? message.images : message.type)),
    ['strings', images(2)],
  );
  conversation.receive({ type: 'decide', decision: 'burn' });
  conversation.receive('nonsense');
  conversation.receive({ type: 'decide', decision: 'accept' });
  assert.deepEqual(decided, [], 'there is nothing to decide');
  assert.equal(posted.length, 2);
});

test('for a staged result, one decision is made at a time', async () => {
  const decided: string[] = [];
  let over: () => void = () => {};
  const conversation = new CompareConversation({
    comparison: { ...comparison('one'), staged: 'key-1' },
    log: silentLog,
    strings: englishCompareStrings,
    locale: 'en',
    images: () => Promise.resolve([]),
    areIdentical: () => Promise.resolve(false),
    edit: () => Promise.resolve(),
    decide: (decision) => {
      decided.push(decision);
      return new Promise((resolve) => (over = resolve));
    },
    post: () => {},
  });
  conversation.receive({ type: 'decide', decision: 'discard' });
  conversation.receive({ type: 'decide', decision: 'accept' });
  assert.deepEqual(decided, ['discard']);
  over();
  await new Promise(setImmediate);
  conversation.receive({ type: 'decide', decision: 'keepBoth' });
  assert.deepEqual(decided, ['discard', 'keepBoth']);
});

test('a page of several pairs decides on all of them, and takes no decision that it doesn’t offer', async () => {
  const comparisons = new Comparisons(store());
  const pairs = { ...comparison('pairs'), stagedPairs: ['key-1', 'key-2'] };
  await comparisons.keep(pairs);
  assert.deepEqual(comparisons.get('pairs'), pairs);
  assert.deepEqual(stagedOn(pairs), ['key-1', 'key-2']);
  for (const [shown, expected] of [
    [pairs, ['acceptAll', 'discardAll']],
    [{ ...comparison('one'), staged: 'key-1' }, ['accept', 'keepBoth', 'discard']],
    [{ ...comparison('variants'), variants: ['key-1', 'key-2'] }, ['keepSelected']],
    [comparison('none'), []],
  ] as const) {
    const decided: string[] = [];
    const conversation = new CompareConversation({
      comparison: shown,
      log: silentLog,
      strings: englishCompareStrings,
      locale: 'en',
      images: () => Promise.resolve([]),
      areIdentical: () => Promise.resolve(false),
      edit: () => Promise.resolve(),
      decide: (decision) => Promise.resolve(void decided.push(decision)),
      post: () => {},
    });
    for (const decision of decisions) {
      conversation.receive({ type: 'decide', decision });
      await new Promise(setImmediate);
    }
    assert.deepEqual(new Set(decided), new Set(expected));
  }
});

test('the title of two images names what they share once, and never cuts off what differs', () => {
  assert.equal(pairTitle('hero.png (now)', 'hero.png (new)'), 'hero.png (now ↔ new)');
  assert.equal(pairTitle('a.png', 'b.png'), 'a.png ↔ b.png');
  const long = 'a-lighthouse-on-a-cliff-at-sunset-calm-sea-strata-2';
  assert.equal(pairTitle(`${long}.png`, `${long}-2.png`), '…sea-strata-2.png ↔ …sea-strata-2-2.png');
  assert.equal(pairTitle(`x${long}.png`, `y${long}.png`), `x${long.slice(0, 38)}… ↔ y${long.slice(0, 38)}…`);
});
