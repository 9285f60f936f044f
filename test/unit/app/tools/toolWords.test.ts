import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteResult, refusal, renderOf, rendersResult } from '../../../../src/app/tools/toolWords';
import type { LibraryEntry } from '../../../../src/renders/library';
import type { RenderState } from '../../../../src/renders/record';

const entry = (state: RenderState, more: Partial<LibraryEntry> = {}): LibraryEntry => ({
  ...{ id: 'one', group: 'finished', state, modelId: 'a/b/c', inputs: {}, shownCents: 4, record: {} as never },
  ...more,
});
const told = (state: RenderState, more?: Partial<LibraryEntry>) => renderOf(entry(state, more), (uri) => uri);

test('“nothing charged” is stated only when it is proven', () => {
  for (const state of ['planned', 'refused', 'discarded'] as const) {
    assert.equal(told(state).chargedCents, 0);
    assert.match(rendersResult([told(state)]).text, /nothing charged/);
  }
  for (const state of ['sent', 'accepted', 'failed', 'unknown', 'succeeded'] as const) {
    assert.equal(told(state).chargedCents, undefined);
    assert.doesNotMatch(rendersResult([told(state)]).text, /nothing charged/);
  }
});

test('the charge is what the service says, and an earlier order isn’t charged by this call', () => {
  const saved = told('saved', { costCents: 5, file: '/project/a.png', record: { file: '/project/a.png' } as never });
  assert.match(rendersResult([saved]).text, /saved · quoted €0\.04 · charged €0\.05 · file \/project\/a\.png/);
  assert.match(rendersResult([saved]).text, /Charged by this call so far: €0\.05\./);
  assert.match(rendersResult([{ ...saved, joined: true }]).text, /Charged by this call so far: €0\.00\./);
});

test('a selection of some renders is reported in numbers', () => {
  const declined = { id: 'two', status: 'declined', chargedCents: 0 } as const;
  assert.match(rendersResult([told('accepted'), declined]).text, /^1 of 2 approved\./);
});

test('a price that isn’t stated is no sum', () => {
  const { text } = quoteResult([{ modelId: 'a/b/c', cents: undefined }], 100, undefined);
  assert.match(text, /Sum: not stated\. Balance: €1\.00\./);
  assert.match(text, /The user will be asked/);
});

test('a refusal begins with what did not happen', () => {
  assert.match(refusal('the price can’t be had.').text, /^Not rendered, nothing charged: /);
});
