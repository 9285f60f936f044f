import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkResult, notChecked } from '../../../../src/app/tools/toolWords';
import { deferred } from '../../deferred';
import { settled } from '../../clock';
import { agentCall, AgentWorld, item } from './agentWorld';

test('both IDs of two identical orders lead to the one render that the person agreed to', async () => {
  const world = new AgentWorld();
  const answer = deferred<boolean>();
  world.answer = () => answer.promise;
  const [first, second] = [item('a kite'), item('a kite')];
  for (const one of [first, second]) void world.renders.render([one], false, agentCall());
  await settled();
  assert.equal((await world.renders.check(second.draft.intent)).status, 'waitingForApproval');
  answer.resolve(true);
  await settled();
  const key = first.draft.intent;
  for (const { draft } of [first, second]) {
    const { id, status } = await world.renders.check(draft.intent);
    assert.deepEqual([id, status], [key, 'rendering']);
  }
  world.becomes(key, { state: 'saved', costCents: 4, file: 'file:///project/kite.png' });
  const told = await Promise.all([first, second].map(({ draft }) => world.renders.check(draft.intent)));
  const { text } = checkResult(told);
  assert.equal(text.match(/saved · quoted €0\.04 · charged €0\.04 · file \/project\/kite\.png/g)?.length, 2);
  assert.doesNotMatch(text, /ordered before/);
});

test('an ID that no render of an agent has says nothing about the others, and nothing about a charge', async () => {
  const world = new AgentWorld();
  const one = item('a kite');
  void world.renders.render([one], false, agentCall());
  await settled();
  world.becomes(one.draft.intent, { state: 'saved', costCents: 4, file: 'file:///project/kite.png' });
  await settled();
  world.records.push({ ...world.records[0]!, key: 'of-a-person', by: 'person' });
  const told = await Promise.all([one.draft.intent, 'mistyped', 'of-a-person'].map((id) => world.renders.check(id)));
  const { text } = checkResult(told);
  assert.match(text, /^item-\d+: saved/);
  for (const id of ['mistyped', 'of-a-person'])
    assert.match(text, new RegExp(`^${id}: no render of an agent has this ID\\.`, 'm'));
  assert.doesNotMatch(text, /nothing charged|not rendered/i);
});

test('a state is as it is now, not as it was when the call ended', async () => {
  const file = 'file:///project/kite.png';
  for (const [then, now, words] of [
    [{ state: 'failed', costCents: 4 }, { state: 'refunded' }, /the service refunded it/],
    [{ state: 'unknown' }, { state: 'saved', costCents: 4, file }, /: saved · .*charged €0\.04/],
    [{ state: 'succeeded', costCents: 4 }, { state: 'saved', file }, /: saved · /],
  ] as const) {
    const world = new AgentWorld();
    const one = item('a kite');
    const rendered = world.renders.render([one], false, agentCall());
    await settled();
    world.becomes(one.draft.intent, then);
    await rendered;
    world.becomes(one.draft.intent, now);
    assert.match(checkResult([await world.renders.check(one.draft.intent)]).text, words);
  }
});

test('renders that couldn’t be looked up aren’t called uncharged', () => {
  assert.doesNotMatch(notChecked('canceled.').text, /nothing charged|not rendered/i);
});

test('an agent gets its response in time, with the ID of what goes on', async () => {
  const world = new AgentWorld();
  const late = new AbortController();
  const one = item('a kite');
  const rendered = world.renders.render([one], false, agentCall({ late: late.signal }));
  await settled();
  late.abort();
  const [told] = await rendered;
  assert.deepEqual([told?.id, told?.status, world.placed], [one.draft.intent, 'rendering', ['a kite']]);
});

test('an order whose price comes too late for the response is never placed', async () => {
  const world = new AgentWorld();
  const late = new AbortController();
  const price = deferred<{ readonly costCents: number }>();
  world.grant(100);
  world.quote = () => price.promise;
  const rendered = world.renders.render([item('a kite'), item('an owl')], false, agentCall({ late: late.signal }));
  await settled();
  late.abort();
  await assert.rejects(rendered, /this took too long, so nothing was done/);
  price.resolve({ costCents: 4 });
  await settled();
  assert.deepEqual([world.placed, world.questions], [[], []]);
});
