import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  englishFormStrings,
  type QuoteView,
  type ResultView,
} from '../../../../../src/features/form/page/formMessages';
import { announcement, heard } from '../../../../../src/features/form/page/announce';
import { emptyState, reduce, type FormState } from '../../../../../src/features/form/page/state';
import { Texts } from '../../../../../src/features/form/page/texts';

const texts = new Texts(englishFormStrings, 'en', []);

function quoted(quote: QuoteView, balanceCents?: number): FormState {
  return { ...emptyState, balanceCents, quote: { revision: 0, intent: 'i', count: 1, quote } };
}

function shown(...results: ResultView[]): FormState {
  return { ...emptyState, results };
}

const running: ResultView = { id: 'a', stage: 'active', status: 'Queued…', actions: [] };

test('a price is announced with the balance after it, once', () => {
  const priced = quoted({ status: 'priced', costCents: 4 }, 100);
  assert.equal(
    announcement(quoted({ status: 'asking' }), priced, texts),
    'Price 0.04 euros. Balance after: 0.96 euros.',
  );
  assert.equal(announcement(priced, { ...priced, moreOpen: true }, texts), undefined);
});

test('a low balance, a failed price, and a missing price are announced', () => {
  const asking = quoted({ status: 'asking' }, 3);
  const say = (quote: QuoteView) => announcement(asking, quoted(quote, 3), texts);
  assert.equal(
    say({ status: 'priced', costCents: 4 }),
    'Your balance is 0.03 euros. This render needs 0.01 euros more.',
  );
  assert.equal(say({ status: 'failed', problem: 'The service is down.' }), 'No price: The service is down.');
  assert.match(say({ status: 'notStated' }) ?? '', /doesn’t quote a price/);
});

test('a price that is no longer current is retracted', () => {
  assert.equal(announcement(quoted({ status: 'priced', costCents: 4 }), quoted({ status: 'asking' }), texts), '');
});

test('the start and the end of a render are announced', () => {
  const file = { name: 'fox.png', uri: 'file:///project/fox.png' };
  assert.equal(announcement(shown(), shown(running), texts), 'Render started.');
  assert.equal(announcement(shown(running), shown({ ...running, stage: 'done', file }), texts), 'Saved as fox.png.');
  const waiting = { ...running, stage: 'done', isStaged: true, status: 'Compare the two.' } as const;
  assert.equal(announcement(shown(running), shown(waiting), texts), 'Compare the two.');
  assert.equal(
    announcement(shown(running), shown({ ...running, stage: 'ended', problem: 'It failed.' }), texts),
    'It failed.',
  );
  assert.equal(announcement(shown(running), shown({ ...running, stage: 'done' }), texts), 'The result is ready.');
  const notSaved = { ...running, stage: 'done', problem: 'Paid, but not downloaded yet.' } as const;
  assert.equal(announcement(shown(running), shown(notSaved), texts), 'Paid, but not downloaded yet.');
});

test('existing results aren’t announced when the form opens', () => {
  assert.equal(announcement(shown(), shown({ ...running, stage: 'done' }), texts), undefined);
});

test('the start of a render is announced, and not the price that reappears', () => {
  const ready = quoted({ status: 'priced', costCents: 4 }, 100);
  assert.equal(announcement({ ...ready, ordering: 1 }, ready, texts), undefined);
  const again = quoted({ status: 'asking', lastCents: 4 }, 100);
  const ordered = { orderedRevision: 0 };
  assert.equal(announcement({ ...again, ...ordered, ordering: 1 }, { ...again, ...ordered }, texts), undefined);
  assert.equal(announcement({ ...again, ...ordered }, { ...ready, ...ordered }, texts), undefined);
  assert.match(announcement(again, ready, texts) ?? '', /^Price 0.04 euros/, 'of other values, it’s news');
  const dearer = quoted({ status: 'priced', costCents: 5 }, 100);
  assert.match(announcement({ ...again, ...ordered }, { ...dearer, ...ordered }, texts) ?? '', /^Price 0.05 euros/);
});

test('an announced balance is withdrawn once another window spends, but the start of a render here isn’t', () => {
  const ready = quoted({ status: 'priced', costCents: 4 }, 100);
  assert.equal(announcement(ready, { ...ready, balanceCents: 96 }, texts), '');
  const rendering = { ...ready, results: [running] };
  assert.equal(announcement(rendering, { ...rendering, balanceCents: 96 }, texts), undefined);
});

test('an image that can’t be used is announced, each time, and no other change of it is', () => {
  const refuse = (state: FormState, problem: string) =>
    reduce(state, { type: 'imageRefused', field: 'image', problem });
  const first = refuse(emptyState, 'It’s too large.');
  assert.equal(announcement(emptyState, first, texts), 'It’s too large.');
  assert.equal(announcement(first, refuse(first, 'It’s too large.'), texts), 'It’s too large.');
  assert.equal(announcement(first, { ...first, moreOpen: true }, texts), undefined);
  assert.equal(announcement(first, reduce(first, { type: 'edited', field: 'image', value: 'x' }), texts), undefined);
});

test('a sentence that is announced again is a change to a screen reader, as often as that happens', () => {
  const texts = ['', 'It failed.', 'It failed.', undefined, 'It failed.', ''];
  const read = texts.map(
    (
      (last) => (next) =>
        (last = heard(last, next))
    )(''),
  );
  assert.deepEqual(read, ['', 'It failed.', 'It failed.\u00a0', 'It failed.\u00a0', 'It failed.', '']);
});

test('the same failure of two presses in a row is announced twice', () => {
  let state = quoted({ status: 'priced', costCents: 4 }, 100);
  let last = '';
  const read = [1, 2].map((request) => {
    const quote = { revision: 0, intent: `after ${request}`, count: 1, quote: state.quote!.quote };
    for (const action of [
      { type: 'renderPressed' },
      { type: 'received', message: { type: 'quote', ...quote } },
      { type: 'received', message: { type: 'answer', request, problem: 'The disk is full.' } },
    ] as const) {
      const before = state;
      state = reduce(before, action);
      last = heard(last, announcement(before, state, texts));
    }
    return last;
  });
  assert.deepEqual(read, ['The disk is full.', 'The disk is full.\u00a0']);
});
