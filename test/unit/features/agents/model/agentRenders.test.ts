import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changePrompt } from '../../../../../src/compose/pricedList';
import { checkResult, notChecked, orderResult } from '../../../../../src/features/agents/model/toolWords';
import { deferred } from '../../../deferred';
import { settled } from '../../../clock';
import { entry } from '../../../editor/entries';
import { agentCall, AgentWorld, item } from './agentWorld';

const here = ['file:///project'];

test('both IDs of two identical orders lead to the one render that the user agreed to', async () => {
  const world = new AgentWorld();
  const answer = deferred<boolean>();
  world.answer = () => answer.promise;
  const [first, second] = [item('a kite'), item('a kite')];
  for (const one of [first, second]) void world.renders.render([one], false, agentCall());
  await settled();
  assert.equal((await world.renders.check(first.draft.intent, here)).status, 'waitingForApproval');
  assert.equal((await world.renders.check(second.draft.intent, here)).status, 'pending');
  answer.resolve(true);
  await settled();
  const key = first.draft.intent;
  for (const { draft } of [first, second]) {
    const { id, status } = await world.renders.check(draft.intent, here);
    assert.deepEqual([id, status], [key, 'rendering']);
  }
  world.becomes(key, { state: 'saved', costCents: 4, file: 'file:///project/kite.png' });
  const told = await Promise.all([first, second].map(({ draft }) => world.renders.check(draft.intent, here)));
  const { text } = checkResult(told);
  assert.equal(text.match(/saved · quoted €0\.04 · charged €0\.04 · file \/project\/kite\.png/g)?.length, 2);
  assert.doesNotMatch(text, /rendered before/);
});

test('an ID that no render of an agent has says nothing about the others, and nothing about a charge', async () => {
  const world = new AgentWorld();
  const one = item('a kite');
  void world.renders.render([one], false, agentCall());
  await settled();
  world.becomes(one.draft.intent, { state: 'saved', costCents: 4, file: 'file:///project/kite.png' });
  await settled();
  world.records.push({ ...world.records[0]!, key: 'of-a-person', by: 'person' });
  const told = await Promise.all(
    [one.draft.intent, 'mistyped', 'of-a-person'].map((id) => world.renders.check(id, here)),
  );
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
    assert.match(checkResult([await world.renders.check(one.draft.intent, here)]).text, words);
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
  assert.deepEqual([told?.id, told?.status, world.sent], [one.draft.intent, 'rendering', ['a kite']]);
});

test('an agent has the IDs in time also while the prices of its renders are still missing', async () => {
  const world = new AgentWorld();
  const late = new AbortController();
  const price = deferred<{ readonly costCents: number }>();
  world.grant(100);
  world.quote = () => price.promise;
  const wanted = [item('a kite'), item('an owl')];
  const rendered = world.renders.render(wanted, false, agentCall({ late: late.signal }));
  await settled();
  late.abort();
  const ids = (await rendered).map(({ id }) => id);
  assert.deepEqual([ids, world.sent], [wanted.map(({ draft }) => draft.intent), []]);
  price.resolve({ costCents: 4 });
  await settled();
  assert.equal((await world.renders.check(ids[0]!, here)).status, 'rendering');
});

test('a repeated list asks only about what wasn’t ordered, and a no isn’t about the rest', async () => {
  const world = new AgentWorld();
  const gone = new AbortController();
  const first = world.renders.render([item('a kite'), item('an owl')], false, agentCall({ signal: gone.signal }));
  await settled();
  assert.deepEqual(world.sent, ['a kite', 'an owl']);
  gone.abort();
  await first;
  world.select = () => undefined;
  const late = new AbortController();
  const prompts = ['a kite', 'an owl', 'a fox', 'an elk'];
  const call = agentCall({ late: late.signal });
  const again = world.renders.render(
    prompts.map((prompt) => item(prompt)),
    false,
    call,
  );
  await settled();
  late.abort();
  const { text } = orderResult(await again, []);
  assert.deepEqual(
    world.lists[1]?.rows.map(({ item }) => item.prompt),
    ['a fox', 'an elk'],
  );
  const [count, ...rows] = text.split('\n');
  assert.equal(count, '2 of 4 approved.');
  for (const row of rows.slice(0, 2)) {
    assert.match(row, /in progress; .*rendered before/);
    assert.doesNotMatch(row, /nothing charged|declined/);
  }
  for (const row of rows.slice(2, 4)) assert.match(row, /the user declined, nothing charged/);
});

test('a list that is repeated before the user has answered shows no second list, and is ordered once', async () => {
  const world = new AgentWorld();
  const step = deferred<'order'>();
  world.select = () => step.promise;
  const calls = [0, 1].map(() => world.renders.render([item('a kite'), item('an owl')], false, agentCall()));
  await settled();
  step.resolve('order');
  await settled();
  for (const { key } of world.records) world.becomes(key, { state: 'saved', costCents: 4 });
  const [first, second] = await Promise.all(calls);
  assert.deepEqual([world.lists.length, world.questions.length, world.sent], [1, 1, ['a kite', 'an owl']]);
  assert.match(orderResult(first!, []).text, /Charged by this call so far: €0\.08/);
  assert.match(
    orderResult(second!, []).text,
    /rendered before.*\n.*rendered before.*\nCharged by this call so far: €0\.00/,
  );
});

test('a list whose agent gave up is no reason to leave out what another one asks for', async () => {
  const world = new AgentWorld();
  const step = deferred<'order'>();
  world.select = () => step.promise;
  const gone = new AbortController();
  const list = () => [item('a kite'), item('an owl')];
  void world.renders.render(list(), false, agentCall({ signal: gone.signal }));
  await settled();
  gone.abort();
  void world.renders.render(list(), false, agentCall());
  step.resolve('order');
  await settled();
  assert.deepEqual([world.lists.length, world.sent], [2, ['a kite', 'an owl']]);
});

test('two identical items aren’t rendered once for the price of two, unless both are wanted', async () => {
  const world = new AgentWorld();
  const list = () => [item('a kite'), item('an owl'), item('a kite')];
  await assert.rejects(world.renders.render(list(), false, agentCall()), /^Error: item 3 is the same as item 1\./);
  assert.deepEqual([world.lists, world.questions, world.sent], [[], [], []]);
  void world.renders.render(list(), true, agentCall());
  await settled();
  assert.deepEqual(world.sent, ['a kite', 'an owl', 'a kite']);
});

test('agents that have to wait after two noes are still told of what they ordered before', async () => {
  const world = new AgentWorld();
  const call = agentCall({ late: AbortSignal.abort() });
  await world.renders.render([item('a kite')], false, call);
  await settled();
  world.answer = () => false;
  for (const prompt of ['one', 'two']) await world.renders.render([item(prompt)], false, agentCall());
  const rendered = world.renders.render([item('a kite'), item('three')], false, agentCall());
  await settled();
  world.becomes(world.records[0]!.key, { state: 'saved', costCents: 4 });
  const { text } = orderResult(await rendered, []);
  assert.match(text, /rendered before.*charged €0\.04/);
  assert.match(text, /the user declined twice in a row/);
  assert.equal(world.questions.length, 3);
});

test('an agent is told which prompt the user has changed', async () => {
  const world = new AgentWorld();
  const late = new AbortController();
  world.select = (list) => changePrompt(list, list.rows[0]!.item.id, 'a red kite').then(() => 'order' as const);
  const rendered = world.renders.render([item('a kite'), item('an owl')], false, agentCall({ late: late.signal }));
  await settled();
  late.abort();
  const [kite, owl] = await rendered;
  assert.deepEqual([kite?.changedPrompt, owl?.changedPrompt], ['a red kite', undefined]);
  assert.equal((await world.renders.check(kite!.id, here)).changedPrompt, 'a red kite');
});

test('a render that another call waits for isn’t given up with the call that ordered it', async () => {
  const world = new AgentWorld();
  const calls = [new AbortController(), new AbortController()];
  for (const { signal } of calls) void world.renders.render([item('a kite')], false, agentCall({ signal }));
  await settled();
  calls[0]!.abort();
  assert.deepEqual(world.discarded, []);
  void world.renders.render([item('an owl')], false, agentCall({ signal: calls[1]!.signal }));
  await settled();
  calls[1]!.abort();
  assert.deepEqual(world.discarded, [world.records[1]!.key]);
});

for (const granted of [0, 100])
  test(`a list ${granted ? 'within the allowance' : 'that the user agreed to'} is ordered in turn, each after a response`, async () => {
    const world = new AgentWorld();
    if (granted) world.grant(granted);
    const responses = ['a kite', 'an owl'].map(() => deferred<{ readonly state: 'accepted' }>());
    world.respond = ({ key }) => responses[world.records.findIndex((one) => one.key === key)]!.promise;
    const late = new AbortController();
    const wanted = [item('a kite'), item('an owl')];
    const rendered = world.renders.render(wanted, false, agentCall({ late: late.signal }));
    await settled();
    assert.deepEqual(world.sent, ['a kite']);
    late.abort();
    const { text } = orderResult(await rendered, []);
    assert.match(text, /: in progress; it may be charged already.*\n.*: not sent yet, nothing charged so far/);
    responses[0]!.resolve({ state: 'accepted' });
    await settled();
    assert.deepEqual(world.sent, ['a kite', 'an owl']);
    assert.equal((await world.renders.check(wanted[1]!.draft.intent, here)).status, 'rendering');
  });

for (const state of ['refused', 'unknown'] as const)
  test(`after a render that ends as ${state}, the others of its list aren’t ordered, and are told apart from it`, async () => {
    const world = new AgentWorld();
    world.respond = () => ({ state, ...(state === 'refused' && { problem: { code: 'dailyCap' } }) });
    const rendered = world.renders.render(
      ['a', 'b', 'c'].map((one) => item(one)),
      false,
      agentCall(),
    );
    const { text } = orderResult(await rendered, []);
    const [first, ...others] = text.split('\n');
    assert.deepEqual(world.sent, ['a']);
    assert.match(first!, state === 'refused' ? /rejected by the service, nothing charged/ : /no response shows/);
    for (const row of others.slice(0, 2))
      assert.match(row, /: not rendered, nothing charged · .* the one before it in this call wasn’t accepted/);
  });

test('what is left of a list isn’t ordered for an agent that gave up', async () => {
  const world = new AgentWorld();
  const gone = new AbortController();
  world.respond = () => (gone.abort(), { state: 'accepted' });
  const rendered = world.renders.render([item('a'), item('b')], false, agentCall({ signal: gone.signal }));
  const { text } = orderResult(await rendered, []);
  await settled();
  assert.deepEqual(world.sent, ['a']);
  assert.match(text, /in progress.*\n.*canceled before it was sent, nothing charged/);
});

for (const granted of [0, 100])
  test(`stopping agents ends a list ${granted ? 'within the allowance' : 'that the user agreed to'}, and the agent is told which renders go on`, async () => {
    const world = new AgentWorld();
    if (granted) world.grant(granted);
    const responses = ['a', 'b'].map(() => deferred<{ readonly state: 'accepted' }>());
    world.respond = ({ key }) => responses[world.records.findIndex((one) => one.key === key)]!.promise;
    const rendered = world.renders.render(
      ['a', 'b', 'c', 'd'].map((one) => item(one)),
      false,
      agentCall(),
    );
    await settled();
    responses[0]!.resolve({ state: 'accepted' });
    await settled();
    assert.deepEqual(world.sent, ['a', 'b']);
    world.stopAgents();
    responses[1]!.resolve({ state: 'accepted' });
    await settled();
    for (const { key } of world.records) world.becomes(key, { state: 'saved', costCents: 4 });
    const rows = orderResult(await rendered, []).text.split('\n');
    assert.deepEqual([world.sent, world.questions.length], [['a', 'b'], granted ? 0 : 1]);
    for (const row of rows.slice(0, 2)) assert.match(row, /: done · .* · charged €0\.04/);
    for (const row of rows.slice(2, 4))
      assert.match(row, /: canceled before it was sent, nothing charged · .* · the user revoked the allowance/);
    assert.match(rows[4]!, /Charged by this call so far: €0\.08/);
  });

test('an order of a list whose price is checked again as the user stops agents isn’t placed', async () => {
  const world = new AgentWorld();
  const accepted = deferred<{ readonly state: 'accepted' }>();
  world.respond = () => accepted.promise;
  const rendered = world.renders.render([item('a'), item('b')], false, agentCall());
  await settled();
  const price = deferred<{ readonly costCents: number }>();
  world.quote = () => price.promise;
  await world.clock.advance(61_000);
  accepted.resolve({ state: 'accepted' });
  await settled();
  world.stopAgents();
  price.resolve({ costCents: 4 });
  await settled();
  world.becomes(world.records[0]!.key, { state: 'saved', costCents: 4 });
  assert.deepEqual(
    (await rendered).map(({ status }) => status),
    ['done', 'canceled'],
  );
  assert.deepEqual(world.sent, ['a']);
});

test('what agents want after they were stopped is asked about, and rendered if the user agrees', async () => {
  const world = new AgentWorld();
  const step = deferred<'order'>();
  const list = () => [item('a'), item('b')];
  world.grant(1);
  world.select = () => step.promise;
  const first = world.renders.render(list(), false, agentCall());
  await settled();
  world.stopAgents();
  const second = world.renders.render(list(), false, agentCall());
  await settled();
  assert.deepEqual([world.lists.length, world.sent], [1, []]);
  step.resolve('order');
  await settled();
  assert.deepEqual([world.lists.length, world.questions.length, world.sent], [2, 1, ['a', 'b']]);
  for (const { key } of world.records) world.becomes(key, { state: 'saved', costCents: 4 });
  assert.deepEqual(
    [await first, await second].map((told) => told.map(({ status }) => status)),
    [
      ['canceled', 'canceled'],
      ['done', 'done'],
    ],
  );
});

test('an image that a user is rendering already isn’t rendered for an agent too, unless it’s wanted again', async () => {
  const world = new AgentWorld();
  const hero = { root: 'file:///project', folder: 'docs', fileName: 'hero', ending: 'png' };
  world.inProgress.set('hero', entry({ group: 'active', state: 'accepted' }));
  world.grant(100);
  const list = () => [item('a harbor', { target: hero }), item('an owl')];
  const rendered = world.renders.render(list(), false, agentCall());
  await settled();
  world.becomes(world.records[0]!.key, { state: 'saved', costCents: 4 });
  const { text } = orderResult(await rendered, []);
  assert.deepEqual(world.sent, ['an owl']);
  assert.match(text, /not rendered, nothing charged · .*another render for this file is in progress, or waits/);
  assert.match(text, /Charged by this call so far: €0\.04/);
  void world.renders.render(list().slice(0, 1), true, agentCall());
  await settled();
  assert.deepEqual(world.sent, ['an owl', 'a harbor']);
});

test('an agent that works elsewhere finds no render of this project, and one in a part of it does', async () => {
  const world = new AgentWorld();
  const one = item('a kite');
  void world.renders.render([one], false, agentCall());
  await settled();
  const statusIn = async (folder: string) => (await world.renders.check(one.draft.intent, [folder])).status;
  assert.equal(await statusIn('file:///project-2'), 'notFound');
  assert.equal(await statusIn('file:///elsewhere'), 'notFound');
  for (const folder of ['file:///project', 'file:///project/site', 'file:///'])
    assert.notEqual(await statusIn(folder), 'notFound');
});
