import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonObject, frozenInputs } from '../../../src/base/json';
import { AgentOrders, type AgentRequest } from '../../../src/renders/agentOrders';
import { Agreement } from '../../../src/renders/agreement';
import { Consent, type Question } from '../../../src/renders/consent';
import type { Library, LibraryEntry } from '../../../src/renders/library';
import { LedgerError } from '../../../src/renders/ledgerError';
import { cutShort } from '../../../src/renders/ledgerRow';
import { type Draft, type Order, type RenderRecord, type RenderState, sumOf } from '../../../src/renders/record';
import { settled, TestClock } from '../clock';

type Answer = boolean | 'allow';

/** A user, a service with prices, and the placed orders. */
class World {
  readonly clock = new TestClock();
  readonly questions: Question[] = [];
  readonly records: RenderRecord[] = [];
  /** Large inputs in full, by key. */
  readonly whole = new Map<string, JsonObject>();
  cents = 12;
  offered = 200;
  answer: (question: Question) => Answer | Promise<Answer> = () => false;
  /** Called when an order is placed. */
  placing: (order: Order) => void = () => {};
  /** Called when the window looks for what others have recorded. */
  hearing: () => void = () => {};
  private readonly client = {
    account: 'account-1',
    base: 'https://models.example',
    quote: () => Promise.resolve({ costCents: this.cents }),
  };
  readonly consent = new Consent(
    {
      ask: async (question) => (this.questions.push(question), this.answer(question)),
      tellRefused: () => {},
    },
    () => ({
      confirmAbove: 50,
      unattendedBudget: 0,
      agentAllowance: this.offered,
      confirmAfter: { renders: 0, cents: 0 },
    }),
    this.clock,
  );
  private readonly library = this.libraryOf();
  readonly agents = new AgentOrders(
    new Agreement(this.consent, () => this.client, this.clock),
    { placeTogether: (orders, isWanted) => orders.filter(isWanted).map((order) => this.place(order)) },
    this.library,
    this.clock,
    (order) => Promise.resolve(order),
  );

  private libraryOf(): Pick<Library, 'catchUp' | 'entries' | 'inputsOf'> {
    const { records } = this;
    return {
      get entries() {
        return records.map((record) => ({ record }) as LibraryEntry);
      },
      catchUp: () => this.hearing(),
      inputsOf: ({ record }) => {
        const inputs = this.whole.get(record!.key);
        if (!inputs) throw new LedgerError('altered', 'The inputs are lost');
        return inputs;
      },
    };
  }

  private place(order: Order): RenderRecord {
    this.placing(order);
    const record = {
      ...order,
      key: order.intent,
      state: 'sent',
      plannedAt: this.clock.now(),
    } as unknown as RenderRecord;
    this.records.push(record);
    return record;
  }

  /** Records the last one as those with large inputs are. */
  keptApart(): void {
    const record = this.records.pop()!;
    this.whole.set(record.key, record.inputs);
    this.records.push({ ...record, isApart: true, inputs: cutShort(record.inputs) });
  }

  ended(state: RenderState, costCents?: number): void {
    const record = { ...this.records.pop()!, state, costCents };
    this.records.push(record);
    this.consent.allowance.follow(record);
  }

  async render(prompt: string, wish?: AgentRequest): Promise<string> {
    return (await this.agents.render([draft(prompt)], wish)[0]!).is;
  }

  get left() {
    return this.consent.allowance.left;
  }
}

let intents = 0;

/** Two of an agent in a list, for 25 cents. */
const listed: readonly Order[] = [12, 13].map((shownCents) => ({
  ...draft('a kite'),
  shownCents,
  account: 'account-1',
}));
const take = () => Promise.resolve(listed);

function draft(prompt: string): Draft {
  const target = { root: 'file:///project', folder: 'renders', fileName: 'kite', ending: 'png' };
  const inputs = frozenInputs({ prompt });
  return { intent: `intent ${++intents}`, modelId: 'a/b/c', inputs, target, agent: 'A robot' };
}

test('an agent without an allowance spends only what a user has confirmed', async () => {
  const world = new World();
  assert.equal(await world.render('a kite'), 'refused');
  assert.equal(world.records.length, 0);
  world.answer = () => true;
  assert.equal(await world.render('a kite'), 'placed');
  assert.deepEqual(
    world.questions.map(({ about, orders, allowance }) => [about, orders[0]?.agent, allowance]),
    [
      ['agent', 'A robot', 200],
      ['agent', 'A robot', 200],
    ],
  );
  assert.deepEqual([world.records[0]?.by, world.records[0]?.agent, world.left], ['agent', 'A robot', undefined]);
});

test('an allowance pays for the render it was granted with and later ones, until it no longer covers one', async () => {
  const world = new World();
  world.answer = () => 'allow';
  world.offered = 40;
  assert.equal(await world.render('one'), 'placed');
  assert.equal(world.left, 28);
  world.answer = () => false;
  assert.deepEqual([await world.render('two'), await world.render('three')], ['placed', 'placed']);
  assert.deepEqual([world.left, world.questions.length], [4, 1]);
  assert.equal(await world.render('four'), 'refused');
  assert.deepEqual([world.left, world.questions.length, world.records.length], [4, 2, 3]);
});

test('simultaneous orders can’t exceed the allowance together', async () => {
  const world = new World();
  world.consent.allowance.grant(30);
  const all = await Promise.all(['one', 'two', 'three', 'four'].map((prompt) => world.render(prompt)));
  assert.deepEqual(all, ['placed', 'placed', 'refused', 'refused']);
  assert.equal(world.left, 6);
});

test('an amount is deducted before the order is placed, and returned if it isn’t placed', async () => {
  const world = new World();
  world.consent.allowance.grant(100);
  const seen: unknown[] = [];
  world.placing = () => {
    seen.push(world.left);
    throw new Error('the disk is full');
  };
  await assert.rejects(world.render('a kite'));
  assert.deepEqual([seen, world.left], [[88], 100]);
});

test('proven non-charges are returned, a failure alone proves nothing, and a charge counts as charged', async () => {
  const world = new World();
  world.consent.allowance.grant(100);
  await world.render('refused');
  world.ended('refused');
  assert.equal(world.left, 100);
  await world.render('failed');
  world.ended('failed');
  assert.equal(world.left, 88);
  world.ended('refunded', 12);
  assert.equal(world.left, 100);
  await world.render('cheaper');
  world.ended('saved', 9);
  assert.equal(world.left, 91);
  await world.render('dearer');
  world.ended('accepted', 15);
  assert.equal(world.left, undefined, 'no price says any longer what the next one costs');
});

test('a new grant doesn’t grow by what an earlier one gets back', async () => {
  const world = new World();
  world.consent.allowance.grant(100);
  await world.render('a kite');
  world.consent.allowance.grant(50);
  world.ended('refused');
  assert.equal(world.left, 50);
  world.consent.allowance.revoke();
  assert.equal(await world.render('another'), 'refused');
});

test('the price at the time of the call counts, whatever was quoted before', async () => {
  const world = new World();
  world.consent.allowance.grant(20);
  world.cents = 21;
  assert.equal(await world.render('a kite'), 'refused');
  assert.equal(world.questions[0]?.orders[0]?.shownCents, 21);
});

test('an identical order joins an existing render that is awaiting confirmation, in progress, or under ten minutes old', async () => {
  const world = new World();
  let answer: (yes: boolean) => void = () => {};
  world.answer = () => new Promise((resolve) => (answer = resolve));
  const both = [world.render('a kite'), world.render('a kite')];
  await settled();
  answer(true);
  assert.deepEqual(await Promise.all(both), ['placed', 'joined']);
  assert.equal(await world.render('a kite'), 'joined');
  world.ended('saved', 12);
  await world.clock.advance(599_000);
  assert.equal(await world.render('a kite'), 'joined');
  assert.deepEqual([world.questions.length, world.records.length], [1, 1]);
  const again = world.render('a kite', { again: true });
  await settled();
  answer(true);
  assert.equal(await again, 'placed');
  world.ended('saved', 12);
  await world.clock.advance(601_000);
  const later = world.render('a kite');
  await settled();
  answer(false);
  assert.equal(await later, 'refused');
});

test('a long order that only begins like the previous one is a different one', async () => {
  const world = new World();
  world.answer = () => true;
  const long = 'a kite '.repeat(20_000);
  await world.render(`${long} at dawn`);
  world.keptApart();
  assert.equal(await world.render(`${long} at dawn`), 'joined');
  assert.equal(await world.render(`${long} at dusk`), 'placed');
});

test('a long order that begins like one whose inputs are lost is neither placed nor taken for that one', async () => {
  const world = new World();
  world.answer = () => true;
  const long = 'a kite '.repeat(20_000);
  await world.render(`${long} at dawn`);
  world.keptApart();
  world.whole.clear();
  await assert.rejects(world.render(`${long} at dusk`), LedgerError);
  assert.equal(world.records.length, 1);
  assert.equal(await world.render('a heron'), 'placed');
});

test('what wasn’t charged may be ordered again right away', async () => {
  const world = new World();
  world.answer = () => true;
  await world.render('a kite');
  world.ended('refused');
  assert.equal(await world.render('a kite'), 'placed');
});

test('declining twice in a row rejects agents for a minute without asking, and confirming in between resets that', async () => {
  const world = new World();
  const answers = [false, true, false, false];
  world.answer = () => answers.shift() ?? true;
  for (const prompt of ['one', 'two', 'three', 'four']) await world.render(prompt);
  assert.equal(world.questions.length, 4);
  assert.equal(await world.render('five'), 'refused');
  await world.clock.advance(59_000);
  assert.equal(await world.render('six'), 'refused');
  assert.equal(world.questions.length, 4);
  await world.clock.advance(1_000);
  assert.equal(await world.render('seven'), 'placed');
});

test('agents’ questions come one by one, and declining the second also declines those that wait', async () => {
  const world = new World();
  const all = await Promise.all(['one', 'two', 'three', 'four'].map((prompt) => world.render(prompt)));
  assert.deepEqual(all, ['refused', 'refused', 'refused', 'refused']);
  assert.deepEqual(
    world.questions.map(({ orders }) => orders.length),
    [1, 1],
  );
});

test('nothing is placed for an agent that no longer waits, even if the user confirms', async () => {
  const world = new World();
  const cancel = new AbortController();
  world.answer = () => (cancel.abort(), 'allow');
  assert.equal(await world.render('a kite', { signal: cancel.signal }), 'canceled');
  assert.deepEqual([world.records.length, world.left], [0, 200]);
});

test('a yes to the question of an agent that gave up is one to those that repeat its order and still wait', async () => {
  const world = new World();
  let answer: (yes: boolean) => void = () => {};
  world.answer = () => new Promise((resolve) => (answer = resolve));
  const cancel = new AbortController();
  const first = world.render('a kite', { signal: cancel.signal });
  await settled();
  cancel.abort();
  const second = world.render('a kite', { signal: new AbortController().signal });
  answer(true);
  assert.deepEqual(await Promise.all([first, second]), ['placed', 'joined']);
  assert.deepEqual([world.questions.length, world.records.length], [1, 1]);
});

test('what waits for an answer as the user stops agents isn’t placed, and what repeats it later is asked about anew', async () => {
  const world = new World();
  const answers: ((yes: boolean) => void)[] = [];
  world.answer = () => new Promise((resolve) => answers.push(resolve));
  const stopped = world.render('a kite');
  await settled();
  world.agents.stop();
  const later = world.render('a kite');
  answers[0]!(true);
  assert.equal(await stopped, 'canceled');
  await settled();
  assert.deepEqual([world.questions.length, world.records.length], [2, 0]);
  answers[1]!(true);
  assert.equal(await later, 'placed');
});

test('nobody is asked for an agent that gave up while it waited its turn, and a no to what was given up isn’t counted', async () => {
  const world = new World();
  const cancel = new AbortController();
  world.answer = () => (cancel.abort(), false);
  const all = ['one', 'two', 'three'].map((prompt) => world.render(prompt, { signal: cancel.signal }));
  assert.deepEqual(await Promise.all(all), ['canceled', 'canceled', 'canceled']);
  assert.equal(world.questions.length, 1);
  world.answer = () => false;
  await world.render('four');
  assert.equal(world.consent.isResting('agent'), false);
});

test('nobody is asked on behalf of an agent that gave up before', async () => {
  const world = new World();
  assert.equal(await world.render('a kite', { signal: AbortSignal.abort() }), 'canceled');
  assert.deepEqual([world.questions.length, world.records.length], [0, 0]);
});

test('an allowance is offered only if it covers the render, and if the user wants the offer', async () => {
  const world = new World();
  world.offered = 11;
  await world.render('one');
  world.offered = 0;
  await world.render('two');
  assert.deepEqual(
    world.questions.map(({ allowance }) => allowance),
    [undefined, undefined],
  );
});

test('what an accepted list has is spent only after a question about its sum, or within the allowance', async () => {
  const world = new World();
  const { consent, questions } = world;
  assert.equal(await consent.selectForAgent(take), undefined);
  world.answer = () => true;
  assert.deepEqual(await consent.selectForAgent(take), { orders: listed, isCovered: false });
  assert.deepEqual(
    questions.map(({ about, orders }) => [about, sumOf(orders)]),
    [
      ['agent', 25],
      ['agent', 25],
    ],
  );
  consent.allowance.grant(25);
  assert.deepEqual(await consent.selectForAgent(take), { orders: listed, isCovered: true });
  assert.equal(questions.length, 2);
  consent.allowance.grant(24);
  assert.deepEqual(await consent.selectForAgent(take), { orders: listed, isCovered: false });
  assert.equal(questions.length, 3);
});

test('an accepted list is no yes that has agents ask again: two noes to its question are two noes', async () => {
  const { consent, questions } = new World();
  for (const isOver of [false, true]) {
    await consent.selectForAgent(take);
    assert.equal(consent.isResting('agent'), isOver);
  }
  assert.equal(await consent.selectForAgent(take), undefined);
  assert.equal(questions.length, 2);
});

test('a list that an agent gave up counts as no no of the user, and one that was dismissed does', async () => {
  const { consent, questions } = new World();
  const given: string[] = [];
  for (const when of ['before', 'during', 'before', 'during']) {
    const cancel = new AbortController();
    if (when === 'before') cancel.abort();
    const dismiss = () => (given.push(when), cancel.abort(), Promise.resolve(undefined));
    assert.equal(await consent.selectForAgent(dismiss, cancel.signal), undefined);
  }
  assert.deepEqual([given, questions.length, consent.isResting('agent')], [['during', 'during'], 0, false]);
  for (const isOver of [false, true]) {
    await consent.selectForAgent(() => Promise.resolve(undefined));
    assert.equal(consent.isResting('agent'), isOver);
  }
});

test('the orders of one call are recorded together, or none of them if one can’t be', async () => {
  const world = new World();
  world.answer = () => 'allow';
  const [one, two] = [draft('one'), draft('two')];
  world.placing = ({ intent }) => {
    if (intent === two.intent) throw new Error('the disk is full');
  };
  const failed = await Promise.allSettled(world.agents.render([one, two]));
  assert.deepEqual([failed.map(({ status }) => status), world.left], [['rejected', 'rejected'], 200]);
  world.records.length = 0;
  world.placing = () => {};
  const placed = await Promise.all(world.agents.render([one, two]));
  assert.deepEqual([placed.map(({ is }) => is), world.records.length, world.left], [['placed', 'placed'], 2, 176]);
});

test('who declines one order of a call isn’t asked about the rest', async () => {
  const world = new World();
  const answers: Answer[] = [true, false];
  world.answer = () => answers.shift()!;
  const ordered = await Promise.all(world.agents.render([draft('one'), draft('two'), draft('three')]));
  assert.deepEqual(
    ordered.map(({ is }) => is),
    ['placed', 'refused', 'refused'],
  );
  assert.equal(world.questions.length, 2);
});

test('an order that another window has recorded meanwhile is joined, and uses no allowance', async () => {
  const world = new World();
  world.answer = () => 'allow';
  assert.equal(await world.render('before'), 'placed');
  const theirs = { ...world.records[0]!, key: 'theirs', inputs: { prompt: 'a kite' } };
  // This window hears of it as it's about to ask for the price, or as it's about to record its own.
  world.hearing = () => void world.records.push(theirs);
  assert.equal(await world.render('a kite'), 'joined');
  world.records.length = 1;
  world.hearing = () => {};
  world.placing = () => assert.fail('it is placed');
  const late = world.agents.render([draft('a kite')])[0]!;
  world.records.push(theirs);
  assert.deepEqual([(await late).is, world.left], ['joined', 188]);
});
