import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Consent, type ConsentLimits, type Question } from '../../../src/renders/consent';
import { settled, TestClock } from '../clock';
import { deferred } from '../deferred';
import type { RenderRecord } from '../../../src/renders/record';
import { record } from './records';
import { order } from './world';

/** A user who doesn't answer until a test does. */
class SilentPerson {
  readonly questions: Question[] = [];
  refused = 0;
  /** How often they were told that commands can’t ask for a while. */
  rests = 0;
  private answers: ReturnType<typeof deferred<boolean | undefined>>[] = [];

  ask(question: Question): Promise<boolean | undefined> {
    const answer = deferred<boolean | undefined>();
    this.questions.push(question);
    this.answers.push(answer);
    return answer.promise;
  }

  tellRefused(count: number, hasRest: boolean): void {
    this.refused += count;
    if (hasRest) this.rests += 1;
  }

  async says(yes: boolean | undefined): Promise<void> {
    await settled();
    this.answers.shift()!.resolve(yes);
    await settled();
  }

  async cannotBeAsked(): Promise<void> {
    await settled();
    this.answers.shift()!.reject(new Error('no dialogs here'));
    await settled();
  }

  /** The number of renders and the cents in each question. */
  get asked(): [string, number, number][] {
    return this.questions.map(({ about, orders }) => [
      about,
      orders.length,
      orders.reduce((sum, { shownCents = 0 }) => sum + shownCents, 0),
    ]);
  }
}

function world(change: Partial<ConsentLimits> = {}) {
  const person = new SilentPerson();
  const clock = new TestClock();
  const set = {
    confirmAbove: 50,
    unattendedBudget: 0,
    agentAllowance: 0,
    confirmAfter: { renders: 20, cents: 500 },
    ...change,
  };
  // Like the editor's settings: properties read anew each time, none of them the object's own.
  const limits = Object.create(set) as ConsentLimits;
  const consent = new Consent(person, () => limits, clock);
  const ours = (shownCents?: number) => consent.to(order({ shownCents }), 'user');
  const theirs = (shownCents?: number) => consent.to(order({ shownCents }), 'automation');
  return { person, clock, consent, ours, theirs };
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

test('a cheap render started in the UI isn’t asked about, and an expensive one is, by its own price', async () => {
  const { person, ours } = world();
  assert.equal(await ours(50), 'unasked');
  const dear = ours(51);
  await person.says(true);
  assert.equal(await dear, 'agreed');
  assert.deepEqual(person.asked, [['price', 1, 51]]);
});

test('whether an order would be asked about is known before, and changes nothing', async () => {
  const { person, consent, theirs } = world({ unattendedBudget: 4 });
  const asks = (shownCents: number | undefined, initiator: 'user' | 'automation') =>
    consent.asks(order({ shownCents }), initiator);
  assert.deepEqual([asks(50, 'user'), asks(51, 'user'), asks(undefined, 'user')], [false, true, true]);
  assert.deepEqual([asks(4, 'automation'), asks(5, 'automation')], [false, true]);
  assert.equal(await theirs(4), 'unasked');
  assert.equal(asks(1, 'automation'), true);
  assert.deepEqual(person.asked, []);
});

test('a hundred unattended renders at the same time are one question with their total, whenever their prices arrive', async () => {
  const { person, clock, consent } = world();
  const prices = times(100, () => deferred<number>());
  const answers = prices.map(({ promise }) => consent.unattended(async () => order({ shownCents: await promise })));
  for (const [index, price] of prices.entries()) {
    assert.equal(person.questions.length, 0);
    price.resolve(index % 2 === 0 ? 4 : 7);
    await clock.advance(10);
  }
  await settled();
  assert.deepEqual(person.asked, [['automation', 100, 550]]);
  await person.says(true);
  assert.deepEqual(
    (await Promise.all(answers)).map((asked) => asked?.answer),
    times(100, () => 'agreed'),
  );
  assert.equal(person.questions.length, 1);
});

test('an order that fails on its way delays no question, and one that hangs delays it by five seconds', async () => {
  const { person, clock, consent } = world();
  const failing = consent.unattended(() => Promise.reject(new Error('no such model')));
  const nothing = consent.unattended(() => Promise.resolve(undefined));
  void consent.unattended(() => new Promise(() => {}));
  void consent.unattended(() => Promise.resolve(order()));
  await assert.rejects(failing, /no such model/);
  assert.equal(await nothing, undefined);
  await clock.advance(4999);
  assert.deepEqual(person.asked, []);
  await clock.advance(1);
  assert.deepEqual(person.asked, [['automation', 1, 4]]);
});

test('declining applies to everything that came, even while the question was open, and is reported once', async () => {
  const { person, theirs } = world();
  const first = times(3, () => theirs(4));
  await settled();
  const late = times(5, () => theirs(4));
  await person.says(false);
  assert.deepEqual(new Set(await Promise.all([...first, ...late])), new Set(['refused']));
  assert.equal(person.questions.length, 1);
  assert.equal(person.refused, 8);
});

test('confirming covers the orders in the question, and those that came in the meantime are in the next one', async () => {
  const { person, theirs } = world();
  const first = times(3, () => theirs(4));
  await settled();
  const late = times(2, () => theirs(9));
  await person.says(true);
  assert.deepEqual(await Promise.all(first), ['agreed', 'agreed', 'agreed']);
  assert.deepEqual(person.asked, [
    ['automation', 3, 12],
    ['automation', 2, 18],
  ]);
  await person.says(true);
  assert.deepEqual(await Promise.all(late), ['agreed', 'agreed']);
});

test('renders without a price are asked about together, and never mixed with those that have one', async () => {
  const { person, theirs } = world();
  const all = [theirs(4), theirs(undefined), theirs(4), theirs(undefined)];
  await settled();
  await person.says(true);
  await person.says(true);
  assert.deepEqual(person.asked, [
    ['automation', 2, 8],
    ['automation', 2, 0],
  ]);
  assert.deepEqual(new Set(await Promise.all(all)), new Set(['agreed']));
});

test('the unattended budget is spent once, however many come at the same time', async () => {
  const { person, theirs } = world({ unattendedBudget: 10 });
  const answers = times(5, () => theirs(4));
  await settled();
  assert.deepEqual(person.asked, [['automation', 3, 12]]);
  await person.says(false);
  assert.deepEqual(await Promise.all(answers), ['unasked', 'unasked', 'refused', 'refused', 'refused']);
});

test('the twenty-first render in a minute asks once with the sum, and those that come in the meantime share the answer', async () => {
  const { person, ours } = world();
  const free = times(20, () => ours(4));
  const [asking, ...meanwhile] = times(5, () => ours(4));
  assert.deepEqual(new Set(await Promise.all(free)), new Set(['unasked']));
  await settled();
  assert.deepEqual(person.questions[0]?.since, { renders: 20, cents: 80 });
  const late = ours(4);
  await person.says(true);
  assert.deepEqual(await Promise.all([asking, ...meanwhile, late]), [
    'agreed',
    'agreed',
    'agreed',
    'agreed',
    'agreed',
    'unasked',
  ]);
  assert.equal(person.questions.length, 1);
});

test('more than five euros since the last confirmation asks, even within a budget, and declining stops everything that comes in the meantime', async () => {
  const { person, ours, theirs } = world({ unattendedBudget: 10_000 });
  for (let count = 0; count < 10; count++) await theirs(50);
  const [stopped, mine] = [theirs(1), ours(1)];
  await settled();
  await person.says(false);
  assert.deepEqual([await stopped, await mine], ['refused', 'refused']);
  assert.equal(person.questions[0]?.about, 'pace');
});

test('confirming in another of our dialogs counts too: the pace starts over', async () => {
  const { person, consent, ours } = world();
  for (let count = 0; count < 20; count++) await ours(4);
  const asked = consent.ask([order({ shownCents: 1 })]);
  await person.says(true);
  assert.equal(await asked, 'agreed');
  assert.equal(await ours(4), 'unasked');
  assert.equal(person.questions.length, 1);
});

test('declining one expensive render doesn’t decline another', async () => {
  const { person, ours, theirs } = world({ unattendedBudget: 4 });
  const dear = ours(60);
  const within = await theirs(4);
  const above = theirs(4);
  await person.says(false);
  assert.equal(await dear, 'refused');
  assert.equal(within, 'unasked');
  await person.says(true);
  assert.equal(await above, 'agreed');
});

test('a double click is one render and one question', async () => {
  const { person, consent } = world();
  const twice = order({ shownCents: 60 });
  const answers = [consent.to(twice, 'user'), consent.to(twice, 'user')];
  await person.says(true);
  assert.deepEqual(await Promise.all(answers), ['agreed', 'agreed']);
  assert.equal(person.questions.length, 1);
});

test('a yes to one price of an order isn’t one to a higher price that came meanwhile', async () => {
  const { person, consent } = world();
  const now = order({ shownCents: 60 });
  const answers = [consent.to(now, 'user'), consent.to({ ...now, shownCents: 90 }, 'user')];
  await person.says(true);
  await person.says(false);
  assert.deepEqual(await Promise.all(answers), ['agreed', 'refused']);
  assert.deepEqual(
    person.questions.map(({ orders }) => orders[0]?.shownCents),
    [60, 90],
  );
});

test('if no question can be shown, nothing is confirmed, and the next one is asked again', async () => {
  const { person, theirs } = world();
  const first = theirs(4);
  const refused = assert.rejects(first, /no dialogs here/);
  await settled();
  await person.cannotBeAsked();
  await refused;
  const next = theirs(4);
  await settled();
  await person.says(true);
  assert.equal(await next, 'agreed');
});

test('a question right after an answer is asked', async () => {
  const { person, theirs } = world();
  const again = theirs(4).then(() => theirs(5));
  await settled();
  await person.says(false);
  await person.says(true);
  assert.equal(await again, 'agreed');
});

test('a question about prices that weren’t on any screen waits its turn, and others wait for it', async () => {
  const { person, consent, ours } = world();
  const first = ours(60);
  const asked = consent.ask([order({ shownCents: 1 }), order({ shownCents: 2 })], { question: 'Both?' });
  await settled();
  assert.deepEqual(person.asked, [['price', 1, 60]]);
  await person.says(true);
  assert.equal(await first, 'agreed');
  assert.deepEqual(person.asked.at(-1), ['price', 2, 3]);
  assert.equal(person.questions.at(-1)?.words?.question, 'Both?');
  const last = ours(70);
  await settled();
  assert.equal(person.questions.length, 2);
  await person.says(false);
  assert.equal(await asked, 'refused');
  await person.says(true);
  assert.equal(await last, 'agreed');
  assert.equal(person.refused, 0);
});

test('a question that can’t be shown is reported to the caller, and the next one is asked', async () => {
  const { person, consent, ours } = world();
  const asked = assert.rejects(consent.ask([order({ shownCents: 1 })]), /no dialogs here/);
  await person.cannotBeAsked();
  await asked;
  const next = ours(60);
  await person.says(true);
  assert.equal(await next, 'agreed');
});

test('the orders of one press are asked about where one order at their sum would be, in one question', async () => {
  const { person, consent } = world();
  const four = (shownCents: number) => consent.together(times(4, () => order({ shownCents })));
  assert.equal(await four(12), 'unasked');
  const dear = four(13);
  await person.says(true);
  assert.equal(await dear, 'agreed');
  const declined = four(13);
  await person.says(false);
  assert.equal(await declined, 'refused');
  assert.deepEqual(
    person.asked,
    times(2, () => ['price', 4, 52]),
  );
});

test('the orders of one press count toward the pace one by one, and a yes starts it over', async () => {
  const { person, consent } = world({ confirmAfter: { renders: 6, cents: 0 } });
  const four = () => consent.together(times(4, () => order({ shownCents: 1 })));
  assert.equal(await four(), 'unasked');
  const fast = four();
  await person.says(true);
  assert.equal(await fast, 'agreed');
  assert.deepEqual(person.asked, [['pace', 4, 4]]);
  assert.equal(await four(), 'unasked');
});

/** An order of a command that passed without a question, as the service then has it. */
async function passed({ consent }: ReturnType<typeof world>, change: Partial<RenderRecord>): Promise<void> {
  const one = order({ shownCents: change.shownCents });
  assert.equal(await consent.to(one, 'automation'), 'unasked');
  consent.follow(record({ key: one.intent, ...change }));
}

test('the unattended budget follows what the service charged, and a charge above its price ends it', async () => {
  const desk = world({ unattendedBudget: 10 });
  await passed(desk, { state: 'saved', shownCents: 6, costCents: 2 });
  await passed(desk, { state: 'refused', shownCents: 8 });
  await passed(desk, { state: 'accepted', shownCents: 8, costCents: 0 });
  const over = desk.theirs(1);
  await desk.person.says(true);
  assert.equal(await over, 'agreed');
  assert.deepEqual(desk.person.asked, [['automation', 1, 1]]);
  assert.equal(desk.person.questions[0]?.isExceeded, false);
});

test('a price of 0 opens the unattended budget once: the charge that follows ends it', async () => {
  const desk = world({ unattendedBudget: 10 });
  await passed(desk, { state: 'accepted', shownCents: 0, costCents: 1 });
  const next = desk.theirs(0);
  await desk.person.says(true);
  assert.equal(await next, 'agreed');
  assert.deepEqual(desk.person.asked, [['automation', 1, 0]]);
  assert.equal(desk.person.questions[0]?.isExceeded, true);
});

test('an allowance that a charge has overdrawn pays for nothing more, not even at a price of 0', async () => {
  const { consent, person } = world();
  consent.allowance.grant(10);
  const free = order({ shownCents: 0 });
  assert.equal(await consent.to(free, 'agent'), 'unasked');
  consent.follow(record({ key: free.intent, state: 'accepted', shownCents: 0, costCents: 50 }));
  const next = consent.to(order({ shownCents: 0 }), 'agent');
  await person.says(false);
  assert.equal(await next, 'refused');
  assert.deepEqual(person.asked, [['agent', 1, 0]]);
});

test('a charge above its quoted price ends the allowance, whatever is left of it', async () => {
  const { consent, person } = world();
  consent.allowance.grant(50);
  const first = order({ shownCents: 4 });
  assert.equal(await consent.to(first, 'agent'), 'unasked');
  consent.follow(record({ key: first.intent, state: 'accepted', shownCents: 4, costCents: 7 }));
  assert.equal(consent.allowance.left, undefined);
  const next = consent.to(order({ shownCents: 4 }), 'agent');
  await person.says(true);
  assert.equal(await next, 'agreed');
  assert.deepEqual(person.asked, [['agent', 1, 4]]);
  assert.equal(person.questions[0]?.isExceeded, true);
  consent.allowance.grant(50);
  assert.equal(await consent.to(order({ shownCents: 4 }), 'agent'), 'unasked', 'another grant is another word');
});

test('an agent whose allowance covers it is asked about by name when it renders too fast, and rests after two noes', async () => {
  const { person, consent, clock } = world({ confirmAfter: { renders: 1, cents: 0 } });
  consent.allowance.grant(1000);
  const ask = () => consent.to(order({ shownCents: 1, agent: 'A robot' }), 'agent');
  assert.equal(await ask(), 'unasked');
  for (let no = 1; no <= 2; no++) {
    const asked = ask();
    await person.says(false);
    assert.equal(await asked, 'refused');
  }
  assert.deepEqual(
    person.questions.map(({ about, by }) => [about, by]),
    times(2, () => ['pace', 'agent']),
  );
  assert.deepEqual(
    await Promise.all(times(3, ask)),
    times(3, () => 'refused'),
  );
  assert.equal(person.questions.length, 2);
  await clock.advance(60_000);
  assert.equal(await ask(), 'unasked');
});

test('commands can’t ask for a minute after two noes in a row, whatever they ask, and the user is told so', async () => {
  const { person, consent, theirs, ours, clock } = world({ unattendedBudget: 4 });
  const first = theirs(5);
  await person.says(false);
  const again = consent.ask([order({ shownCents: 5 })], undefined, 'automation');
  await person.says(false);
  assert.deepEqual([await first, await again, person.rests], ['refused', 'refused', 1]);
  assert.equal(await theirs(5), 'refused');
  assert.equal(await consent.ask([order({ shownCents: 5 })], undefined, 'automation'), 'refused');
  assert.equal(person.questions.length, 2);
  assert.equal(await theirs(4), 'unasked', 'what the budget covers needs no question');
  const dear = ours(60);
  await person.says(true);
  assert.equal(await dear, 'agreed', 'the user’s own gestures ask as before');
  await clock.advance(60_000);
  const later = theirs(5);
  await person.says(true);
  assert.equal(await later, 'agreed');
});

test('looking closer orders nothing, and isn’t a no that keeps commands from asking', async () => {
  const { person, consent } = world();
  let looks = 0;
  const words = { question: 'Render 2 images?', instead: { title: 'Choose Images…', press: () => void (looks += 1) } };
  for (let round = 0; round < 3; round++) {
    const asked = consent.ask([order({ shownCents: 5 })], words, 'automation');
    await person.says(undefined);
    assert.equal(await asked, 'refused');
  }
  assert.deepEqual([looks, person.rests, consent.isResting('automation')], [3, 0, false]);
});

test('a yes between two noes keeps commands asking', async () => {
  const { person, theirs } = world();
  for (const yes of [false, true, false]) {
    const asked = theirs(5);
    await person.says(yes);
    assert.equal(await asked, yes ? 'agreed' : 'refused');
  }
  const last = theirs(5);
  await person.says(true);
  assert.equal(await last, 'agreed');
  assert.equal(person.rests, 0);
});
