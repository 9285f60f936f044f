import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frozenInputs } from '../../../../../src/base/json';
import { ServiceError } from '../../../../../src/catalog/errors';
import type { Field, Model } from '../../../../../src/catalog/fields';
import type { OfferState, PricedDraft } from '../../../../../src/compose/offer';
import { enterOf, firstRowOf, type RowState } from '../../../../../src/features/quickRender/model/firstRow';
import { asInstruction, asPrompt } from '../../../../../src/compose/writing';

const prompt: Field = {
  name: 'prompt',
  label: 'Prompt',
  kind: 'longText',
  statedType: 'text',
  required: true,
  maxLength: 10,
};
const model: Model = {
  id: 'a/b/c',
  provider: 'a',
  family: 'b',
  name: 'c',
  title: 'C',
  kind: 'image',
  fields: [prompt],
};

function offerOf(state: OfferState, count = 1): RowState['offer'] {
  const inputs = frozenInputs({});
  const draft: PricedDraft = { intent: 'intent', modelId: model.id, inputs, shownCents: 4, account: 'account' };
  const isWhole = state.status === 'priced' || (state.status === 'notStated' && count === 1);
  return { state, count, drafts: isWhole ? Array.from({ length: count }, () => draft) : [] };
}

/** The first row for a priced prompt, with these differences. */
function rowOf(change: Partial<RowState> = {}) {
  return firstRowOf({
    model,
    isReading: false,
    problem: undefined,
    writing: asPrompt,
    values: [['prompt', 'a fox']],
    sendsMaterial: false,
    isHeld: false,
    compares: false,
    image: undefined,
    hasClient: true,
    status: 'connected',
    balanceCents: 100,
    offer: offerOf({ status: 'priced', costCents: 4 }),
    quietSeconds: undefined,
    ...change,
  });
}

test('without obstacles it renders, at a price that the balance covers as far as is known', () => {
  assert.deepEqual(rowOf(), { says: 'order', intent: 'intent', costCents: 4, afterCents: 96 });
  assert.deepEqual(rowOf({ balanceCents: undefined }), { says: 'order', intent: 'intent', costCents: 4 });
  assert.deepEqual(rowOf({ balanceCents: 3 }), { says: 'short', costCents: 4, shortCents: 1 });
  assert.deepEqual(rowOf({ offer: offerOf({ status: 'notStated' }) }), { says: 'notStated', intent: 'intent' });
});

test('obstacles are shown in the order of fixing them: account, model, inputs, price', () => {
  const wrongInputs = { values: [['prompt', '']] as const, offer: offerOf({ status: 'none' }) };
  const noModel = { ...wrongInputs, model: undefined };
  const noAccount = { ...noModel, hasClient: false, status: 'noKey' as const };
  assert.deepEqual(enterOf(rowOf(noAccount)), { does: 'enterKey' });
  assert.deepEqual(enterOf(rowOf(noModel)), { does: 'chooseModel' });
  assert.equal(rowOf({ ...noModel, isReading: true }).says, 'loading');
  assert.equal(rowOf(wrongInputs).says, 'noPrompt');
  assert.equal(rowOf({ offer: offerOf({ status: 'asking' }) }).says, 'asking');
});

test('a rejected key renders nothing, even with an earlier price', () => {
  assert.deepEqual(enterOf(rowOf({ status: 'keyRefused' })), { does: 'enterKey' });
});

test('a model or price that failed to load is requested again, but not during a pause that the service asked for', () => {
  const away = new ServiceError('noAnswer', 'cut');
  const busy = new ServiceError('tooManyRequests', 'slow down');
  const failed = (error: ServiceError) => ({ offer: offerOf({ status: 'failed', error }) });
  assert.deepEqual(enterOf(rowOf({ model: undefined, problem: away })), { does: 'retry' });
  assert.deepEqual(enterOf(rowOf(failed(away))), { does: 'retry' });
  assert.deepEqual(rowOf({ ...failed(busy), quietSeconds: 7 }), { says: 'waiting', seconds: 7 });
  assert.deepEqual(rowOf({ model: undefined, problem: busy, quietSeconds: 7 }), { says: 'waiting', seconds: 7 });
  assert.equal(rowOf({ ...failed(away), quietSeconds: 7 }).says, 'noPrice');
});

test('the user shortens a prompt that is too long, but a selection that is too long needs another model', () => {
  const values = [['prompt', 'a fox and a hare']] as const;
  assert.deepEqual(enterOf(rowOf({ values })), { does: 'nothing' });
  const sent = rowOf({ values, writing: asInstruction('a fox and a hare'), sendsMaterial: true });
  assert.deepEqual(sent, { says: 'tooLong', length: 16, maxLength: 10 });
  assert.deepEqual(enterOf(sent), { does: 'chooseModel' });
});

test('comparing prices needs no price', () => {
  assert.deepEqual(rowOf({ compares: true, offer: offerOf({ status: 'none' }) }), { says: 'compare' });
});

test('several images are ordered at their sum, and only once that is known', () => {
  const of = (state: OfferState, balanceCents = 100) => rowOf({ offer: offerOf(state, 4), balanceCents });
  const priced = { status: 'priced', costCents: 16 } as const;
  assert.deepEqual(of(priced), { says: 'order', intent: 'intent', costCents: 16, count: 4, afterCents: 84 });
  assert.deepEqual(of(priced, 15), { says: 'short', costCents: 16, shortCents: 1 });
  assert.deepEqual(of({ status: 'asking' }), { says: 'asking' });
  assert.deepEqual(enterOf(of({ status: 'notStated' })), { does: 'nothing' });
  const error = new ServiceError('noAnswer', 'away');
  assert.deepEqual(of({ status: 'failed', error }), { says: 'noPrice', error });
});
