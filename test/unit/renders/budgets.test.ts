import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ServiceError } from '../../../src/catalog/errors';
import { realFolder } from '../../../src/files/disk';
import { type BudgetLimits, Budgets } from '../../../src/renders/limits';
import { BudgetError, type BudgetName, covered } from '../../../src/renders/budget';
import { atAllPlaces, type Order, type RenderRecord } from '../../../src/renders/record';
import type { Ledger } from '../../../src/renders/ledger';
import { TestClock } from '../clock';
import { TestService } from './service';
import { folderFor, openWindow, order, type Window } from './world';
import { recordsOf } from '../../recordsOf';
import { planOne } from '../../planOne';

type BudgetedWindow = Window & { readonly budgets: Budgets };

/** Limits that a test changes as it goes. */
interface SetLimits extends BudgetLimits {
  perDay: number | undefined;
  perProject: Readonly<Record<string, number>>;
  notAnAmount: string | undefined;
}

const project = 'file:///project';

/** A service, and windows on one ledger with a user's limits. */
function world(t: TestContext, set: Partial<Pick<SetLimits, BudgetName>> = {}) {
  const clock = new TestClock(Date.UTC(2026, 0, 2, 12));
  const service = new TestService(clock);
  const folder = folderFor(t);
  const limits: SetLimits = {
    perDay: set.perDay,
    perProject: set.perProject ?? {},
    notAnAmount: undefined,
    unreadable: () => limits.notAnAmount,
    budgetPerDay: () => limits.perDay,
    budgetPerProject: (root) => limits.perProject[root ?? 'no folder'],
  };
  const open = async (): Promise<BudgetedWindow> => {
    const window = await openWindow(t, folder, service, clock);
    const { ledger, renderer, library } = window;
    const connection = () => atAllPlaces(window.connected, ledger);
    return Object.assign(window, {
      budgets: new Budgets(renderer, library, connection, limits, clock, realFolder),
    });
  };
  return { clock, service, limits, open };
}

function inFolder(root: string | undefined, change: Partial<Order> = {}): Order {
  return order({ target: { root, folder: 'renders', fileName: '${slug}' }, ...change });
}

/** A render that couldn't be sent, and waits for the user. */
async function unsent({ budgets }: BudgetedWindow, service: TestService, clock: TestClock): Promise<RenderRecord> {
  service.offline = true;
  const waiting = budgets.place(order());
  await clock.advance(0);
  service.offline = false;
  return waiting;
}

/** How much of the limit is used. */
function used({ budgets }: BudgetedWindow, name: BudgetName = 'perDay', root = project): number | undefined {
  return budgets.of({ root }).find((budget) => budget.name === name)?.committed;
}

function exceeds(name: BudgetName, committed: number): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof BudgetError, String(error));
    assert.deepEqual([error.budget.name, error.budget.committed], [name, committed]);
    return true;
  };
}

/** Has others act just before the window records its order, after it has looked at its limits. */
function justBefore({ ledger }: { ledger: Ledger }, act: () => void): void {
  const own = ledger.plan.bind(ledger);
  ledger.plan = (...decided) => {
    ledger.plan = own;
    act();
    return own(...decided);
  };
}

/** Makes the ledger fail this many times. */
function failing(ledger: Ledger, name: 'changedElsewhere' | 'get' | 'change', times: number): void {
  const own = Reflect.get(ledger, name) as (...args: unknown[]) => unknown;
  let left = times;
  Object.assign(ledger, {
    [name]: (...args: unknown[]) => {
      if (left-- > 0) throw new Error('disk I/O error');
      return own.apply(ledger, args);
    },
  });
}

/** Asserts that one of the two orders was charged, and that nothing is known of the other. */
function assertOneStands(service: TestService, window: Window, stands: Order, other: Order): void {
  assert.deepEqual(
    [stands, other].map(({ intent }) => window.ledger.get(intent)?.state),
    ['accepted', undefined],
  );
  assert.deepEqual(
    service.posts.map(({ key }) => key),
    [stands.intent],
  );
  assert.equal(service.charges.length, 1);
}

test('the first of several limits that the price would exceed is named, and a limit may be reached exactly', () => {
  const limits = [
    { id: 'day', limit: 10, committed: 6 },
    { id: 'project', limit: 9, committed: 6 },
    { id: 'none', limit: undefined, committed: 600 },
  ];
  const over = [3, 4, 5].map((cents) => covered([{ cents, limits }]).over?.id);
  assert.deepEqual(over, [undefined, 'project', 'day']);
});

test('a render without a stated price is placed while the limit has room, and not once it’s used up', () => {
  const counts = [3, 4].map((committed) =>
    covered([{ cents: undefined, limits: [{ id: 'day', limit: 4, committed }] }]),
  );
  assert.deepEqual(
    counts.map(({ count }) => count),
    [1, 0],
  );
});

test('without a limit everything is placed', async (t) => {
  const { clock, service, open } = world(t);
  const window = await open();
  assert.deepEqual(window.budgets.of({ root: project }), []);
  window.budgets.place(order({ shownCents: 1_000_000 }));
  await clock.advance(0);
  assert.equal(service.charges.length, 1);
});

test('renders of several projects together count toward their own project’s limit, and all toward the day’s', async (t) => {
  const two = 'file:///other';
  const { limits, open } = world(t, { perProject: { [project]: 60, [two]: 60 } });
  const { budgets } = await open();
  const check = (...roots: string[]) => budgets.check(roots.map((root) => inFolder(root, { shownCents: 50 })));
  check(project, two);
  assert.throws(() => check(project, two, project), exceeds('perProject', 0));
  limits.perDay = 99;
  check(project);
  assert.throws(() => check(project, two), exceeds('perDay', 0));
});

test('a render that would exceed a limit is neither recorded nor sent', async (t) => {
  const { clock, service, open } = world(t, { perDay: 7 });
  const window = await open();
  window.budgets.place(order());
  await clock.advance(0);
  assert.throws(() => window.budgets.place(order()), exceeds('perDay', 4));
  assert.throws(() => window.budgets.check([order()]), exceeds('perDay', 4));
  window.budgets.place(order({ shownCents: 3 }));
  await clock.advance(60_000);
  assert.equal(recordsOf(window.ledger).length, 2);
  assert.equal(service.charges.length, 2);
});

test('a limit of 0 allows nothing, not even a render without a price', async (t) => {
  const { clock, service, limits, open } = world(t, { perDay: 0 });
  const window = await open();
  assert.throws(() => window.budgets.place(order()), exceeds('perDay', 0));
  assert.throws(() => window.budgets.place(order({ shownCents: undefined })), exceeds('perDay', 0));
  Object.assign(limits, { perDay: undefined, perProject: { [project]: 0 } });
  assert.throws(() => window.budgets.place(order()), exceeds('perProject', 0));
  await clock.advance(60_000);
  assert.deepEqual(recordsOf(window.ledger), []);
  assert.deepEqual(service.posts, []);
});

test('a service’s new URL brings no new money, and no charge counts twice there, until the user says that it’s another one', async (t) => {
  const { clock, service, open } = world(t, { perDay: 10 });
  const [window, other] = [await open(), await open()];
  window.budgets.place(order());
  await clock.advance(0);
  const moved = 'https://new.example';
  for (const { connected } of [window, other]) assert.equal(connected?.place, 'https://models.example');
  window.connected = other.connected = { place: moved, client: service };
  await window.library.refresh();
  assert.equal(used(window), 4);
  assert.equal(used(other), 4, 'another window knows it immediately');
  window.budgets.place(order());
  await clock.advance(0);
  await window.library.refresh();
  assert.equal(used(window), 8);
  assert.throws(() => other.budgets.place(order()), exceeds('perDay', 8));
  window.connected = { place: 'https://models.example', client: service };
  assert.equal(used(window), 8, 'nor does its old URL');
  window.library.settleService(moved, false);
  assert.equal(used(window), 4);
  assert.equal(used(other), 4);
});

test('what another window has spent counts immediately', async (t) => {
  const { clock, open } = world(t, { perDay: 7 });
  const here = await open();
  const there = await open();
  there.budgets.place(order());
  assert.throws(() => here.budgets.place(order()), exceeds('perDay', 4), 'it is about to be sent');
  await clock.advance(0);
  assert.throws(() => here.budgets.place(order()), exceeds('perDay', 4), 'it was sent');
});

test('a render that another window’s just preceded is neither recorded nor sent', async (t) => {
  const { clock, service, open } = world(t, { perDay: 7 });
  const [here, there] = [await open(), await open()];
  const [ours, theirs] = [order(), order()];
  // Both have checked, and both saw room.
  justBefore(here, () => there.budgets.place(theirs));
  assert.throws(() => here.budgets.place(ours), exceeds('perDay', 4));
  await clock.advance(60_000);
  assertOneStands(service, here, theirs, ours);
});

test('a render that another window’s just preceded is recorded if there’s room for both', async (t) => {
  const { clock, service, open } = world(t, { perProject: { [project]: 8 } });
  const [here, there] = [await open(), await open()];
  justBefore(here, () => there.budgets.place(order()));
  here.budgets.place(order());
  await clock.advance(60_000);
  assert.deepEqual([service.charges.length, used(there, 'perProject')], [2, 8]);
});

test('of two orders, one that is recorded and not sent yet counts for the other', async (t) => {
  const { clock, service, open } = world(t, { perDay: 7 });
  const [here, there] = [await open(), await open()];
  const [ours, theirs] = [order(), order()];
  const plan = here.ledger.plan.bind(here.ledger);
  here.ledger.plan = (...decided) => {
    const recorded = plan(...decided);
    assert.throws(() => there.budgets.place(theirs), exceeds('perDay', 4));
    return recorded;
  };
  here.budgets.place(ours);
  await clock.advance(60_000);
  assertOneStands(service, here, ours, theirs);
});

test('nothing is recorded while the ledger can’t be read to check whether another window’s came first', async (t) => {
  const { clock, service, open } = world(t, { perDay: 7 });
  const window = await open();
  const one = order();
  failing(window.ledger, 'changedElsewhere', 1);
  assert.throws(() => window.budgets.place(one), { name: 'OrderError', code: 'notRecorded' });
  await clock.advance(60_000);
  assert.equal(window.ledger.get(one.intent), undefined);
  assert.deepEqual(service.posts, []);
});

test('a render without room uses no limit', async (t) => {
  const { limits, open } = world(t, { perDay: 7 });
  const [here, there] = [await open(), await open()];
  justBefore(here, () => there.budgets.place(order()));
  assert.throws(() => here.budgets.place(order()), BudgetError);
  assert.equal(used(here), 4);
  limits.perDay = 8;
  here.budgets.place(order());
});

test('orders confirmed together are all recorded before one is sent, or none if a limit has no room for all', async (t) => {
  const { clock, service, limits, open } = world(t, { perDay: 11 });
  const [here, there] = [await open(), await open()];
  const three = [order(), order(), order()];
  const states = () => three.map(({ intent }) => there.ledger.get(intent)?.state);
  const place = () => here.budgets.placeTogether(three, () => true);
  assert.throws(place, exceeds('perDay', 0));
  assert.deepEqual(states(), [undefined, undefined, undefined]);
  limits.perDay = 15;
  assert.deepEqual(
    place().map(({ key }) => key),
    three.map(({ intent }) => intent),
  );
  await clock.advance(60_000);
  assert.deepEqual([states(), service.posts.length], [['planned', 'planned', 'planned'], 0]);
  assert.equal(used(there), 12, 'they count before they’re sent');
  assert.throws(() => there.budgets.place(order()), exceeds('perDay', 12));
  await here.renderer.send(three[1]!.intent);
  here.renderer.discard(three[0]!.intent);
  await clock.advance(60_000);
  assert.deepEqual([states(), used(there)], [['discarded', 'accepted', 'planned'], 8]);
});

test('whether an order is still wanted is asked again when another window records something at that moment', async (t) => {
  const { open } = world(t);
  const [here, there] = [await open(), await open()];
  const [ours, theirs] = [order(), order({ modelId: 'the same' })];
  const isOrdered = () => here.library.entries.some(({ modelId }) => modelId === 'the same');
  justBefore(here, () => there.budgets.place(theirs));
  assert.deepEqual(
    here.budgets.placeTogether([ours], () => !isOrdered()),
    [],
  );
  assert.equal(here.ledger.get(ours.intent), undefined);
});

test('what a crashed window was about to send waits for the user, and uses no limit', async (t) => {
  const { clock, service, open } = world(t, { perDay: 100 });
  const [here, there] = [await open(), await open()];
  const two = [order(), order()];
  here.budgets.placeTogether(two, () => true);
  await clock.advance(4_000);
  const groups = () => two.map(({ intent }) => there.library.get(intent)?.group);
  assert.deepEqual([groups(), used(there)], [['active', 'active'], 8]);
  here.crash();
  await clock.advance(60_000);
  assert.deepEqual([groups(), used(there)], [['notSent', 'notSent'], 0]);
  assert.deepEqual(service.posts, []);
  const sent = await there.budgets.send(there.ledger.get(two[0]!.intent)!);
  assert.equal(sent.state, 'accepted');
});

test('ordering the same render again gives the existing one, whatever the limit is by then', async (t) => {
  const { clock, service, limits, open } = world(t, { perDay: 4 });
  const window = await open();
  const once = order();
  const first = window.budgets.place(once);
  assert.equal(window.budgets.place(once).key, first.key, 'while it is being sent');
  await clock.advance(0);
  limits.perDay = 0;
  assert.equal(window.budgets.place(once).state, 'accepted');
  await clock.advance(60_000);
  assert.equal(recordsOf(window.ledger).length, 1);
  assert.equal(service.posts.length, 1);
});

test('a folder’s limit applies to that folder only, and each may have its own', async (t) => {
  const { clock, service, open } = world(t, { perProject: { [project]: 4, 'file:///other': 8 } });
  const window = await open();
  window.budgets.place(inFolder(project));
  window.budgets.place(inFolder('file:///other'));
  assert.throws(() => window.budgets.place(inFolder(project)), exceeds('perProject', 4));
  window.budgets.place(inFolder('file:///other'));
  assert.throws(() => window.budgets.place(inFolder('file:///other')), exceeds('perProject', 8));
  window.budgets.place(inFolder('file:///without a limit'));
  await clock.advance(0);
  assert.equal(service.charges.length, 4);
});

test('a render without a folder is held to the daily limit, and to the limit without a folder', async (t) => {
  const { open } = world(t, { perDay: 8, perProject: { 'no folder': 0, [project]: 4 } });
  const window = await open();
  window.budgets.place(inFolder(undefined));
  window.budgets.place(inFolder(project));
  assert.throws(() => window.budgets.place(inFolder(undefined)), exceeds('perDay', 8));
});

test('the daily limit counts renders since midnight, a folder’s limit all of them', async (t) => {
  const { clock, open } = world(t, { perDay: 7, perProject: { [project]: 11 } });
  const window = await open();
  window.budgets.place(order());
  await clock.advance(0);
  assert.throws(() => window.budgets.place(order()), exceeds('perDay', 4));
  clock.set(Date.UTC(2026, 0, 3, 12));
  window.budgets.place(order());
  await clock.advance(0);
  assert.equal(used(window, 'perDay'), 4);
  clock.set(Date.UTC(2026, 0, 4, 12));
  assert.throws(() => window.budgets.place(order()), exceeds('perProject', 8));
});

test('a waiting render is sent only within the limit, and keeps waiting without room', async (t) => {
  const { clock, service, limits, open } = world(t, { perDay: 7 });
  const window = await open();
  service.offline = true;
  const waiting = window.budgets.place(order());
  await clock.advance(0);
  service.offline = false;
  assert.equal(window.ledger.get(waiting.key)?.state, 'planned');
  assert.equal(used(window), 0, 'nothing of it has left');
  window.budgets.place(order());
  await clock.advance(0);
  assert.throws(() => window.budgets.send(waiting), exceeds('perDay', 4));
  assert.equal(window.ledger.get(waiting.key)?.state, 'planned');
  limits.perDay = 8;
  const sending = window.budgets.send(waiting);
  assert.equal(window.budgets.send(waiting), sending, 'a second gesture does not count it twice');
  assert.equal((await sending).state, 'accepted');
  assert.equal(service.charges.length, 2);
});

test('a limit counts renders in progress at their quoted price, even those about to be sent, but not refunds', async (t) => {
  const { clock, service, open } = world(t, { perDay: 100, perProject: { [project]: 100, 'file:///other': 100 } });
  const window = await open();
  service.fates = ['silentBefore', 'charged', new ServiceError('balanceTooLow', 'poor', { status: 402 })];
  window.budgets.place(order({ shownCents: 7 }));
  assert.deepEqual([recordsOf(window.ledger)[0]?.state, used(window)], ['planned', 7]);
  window.budgets.place(order({ shownCents: 5 }));
  await clock.advance(0);
  assert.equal(used(window), 12, 'a smaller amount that is stated before the end is no charge yet');
  window.budgets.place(order());
  await clock.advance(0);
  assert.equal(used(window), 12, 'what was refused costs nothing');
  service.set('g1', { status: 'refunded' });
  await window.poller.pollNow();
  assert.equal(used(window), 7);
  assert.deepEqual(
    [project, 'file:///other'].map((root) => used(window, 'perProject', root)),
    [7, 0],
  );
});

test('a charge of 0 that is stated while a render is queued frees nothing', async (t) => {
  const { clock, service, open } = world(t, { perDay: 7 });
  const window = await open();
  window.budgets.place(order());
  await clock.advance(0);
  service.set('g1', { status: 'queued', costCents: 0 });
  await window.poller.pollNow();
  assert.throws(() => window.budgets.place(order()), exceeds('perDay', 4));
  service.set('g1', { status: 'succeeded', costCents: undefined });
  await window.poller.pollNow();
  assert.throws(() => window.budgets.place(order()), exceeds('perDay', 4), 'the 0 wasn’t its charge');
});

test('a charge of 0 that is stated at the end is one', async (t) => {
  const { clock, service, open } = world(t, { perDay: 7 });
  const window = await open();
  window.budgets.place(order());
  await clock.advance(0);
  service.set('g1', { status: 'succeeded', costCents: 0 });
  await window.poller.pollNow();
  assert.equal(used(window), 0);
});

test('every further render that the service returned for one order counts', async (t) => {
  const { clock, service, open } = world(t, { perDay: 100 });
  const window = await open();
  service.ignoresKeys = true;
  service.fates = ['lostAfter', 'charged'];
  const { key } = window.budgets.place(order());
  await clock.advance(60_000);
  assert.equal(service.charges.length, 2);
  window.ledger.advance(key, () => ({ otherIds: ['g1'] }));
  assert.equal(used(window), 8);
});

test('what the user says was not charged doesn’t count', async (t) => {
  const { clock, service, open } = world(t, { perDay: 100 });
  const window = await open();
  service.fates = Array.from({ length: 100 }, () => 'lostBefore' as const);
  const { key } = window.budgets.place(order());
  await clock.advance(11 * 60_000);
  window.renderer.settle(key, false);
  assert.equal(used(window), 0);
  window.renderer.settle(key, true);
  assert.equal(used(window), 4);
});

test('a folder has one limit, whatever link, spelling, or trailing slash leads to it', async (t) => {
  const real = join(realpathSync(folderFor(t)), 'a project');
  mkdirSync(real);
  const link = join(folderFor(t), 'link');
  symlinkSync(real, link);
  const uri = pathToFileURL(real).href;
  const spellings = [uri, `${uri}/`, pathToFileURL(link).href, uri.replace('project', '%70roject')];
  const { clock, open } = world(t, { perProject: Object.fromEntries(spellings.map((root) => [root, 7])) });
  const window = await open();
  window.budgets.place(inFolder(pathToFileURL(link).href));
  await clock.advance(0);
  for (const root of spellings) {
    assert.equal(used(window, 'perProject', root), 4, root);
    assert.throws(() => window.budgets.place(inFolder(root)), exceeds('perProject', 4));
  }
  rmSync(link);
  assert.equal(used(window, 'perProject', uri), 4, 'also once the link is gone');
});

test('a render that an earlier version recorded counts for its folder, however that is written', async (t) => {
  const { clock, open } = world(t, { perProject: { [`${project}/`]: 7 } });
  const window = await open();
  window.renderer.order(inFolder(project));
  await clock.advance(0);
  assert.equal(used(window, 'perProject', `${project}/`), 4);
});

test('while a setting of money can’t be read, nothing is ordered or sent, whatever it costs', async (t) => {
  const { clock, service, limits, open } = world(t);
  const window = await open();
  const waiting = await unsent(window, service, clock);
  limits.notAnAmount = 'confirmAbove';
  const unreadable = { name: 'SettingError', setting: 'confirmAbove' };
  assert.throws(() => window.budgets.place(order({ shownCents: 0 })), unreadable);
  assert.throws(() => window.budgets.send(waiting), unreadable);
  await clock.advance(60_000);
  assert.deepEqual(service.posts, []);
  limits.notAnAmount = undefined;
  assert.equal((await window.budgets.send(waiting)).state, 'accepted');
});

test('a limit counts unconfirmed renders, which may have been charged', async (t) => {
  const { clock, service, open } = world(t, { perDay: 100 });
  const window = await open();
  service.fates = Array.from({ length: 100 }, () => 'lostBefore' as const);
  const { key } = window.budgets.place(order({ shownCents: 7 }));
  await clock.advance(11 * 60_000);
  assert.equal(window.ledger.get(key)?.state, 'unknown');
  assert.equal(used(window), 7);
});

test('renders that another window is about to send count, but not waiting ones there and those of closed windows', async (t) => {
  const { clock, service, open } = world(t, { perDay: 100 });
  const here = await open();
  const there = await open();
  service.offline = true;
  there.budgets.place(order({ shownCents: 50 }));
  await clock.advance(0);
  service.offline = false;
  service.fates = ['silentBefore'];
  there.budgets.place(order({ shownCents: 7 }));
  assert.equal(recordsOf(here.ledger)[0]?.state, 'planned');
  assert.equal(used(here), 7);
  const closed = await open();
  const [left] = recordsOf(closed.ledger);
  const body = closed.ledger.bodyOf(left!)!;
  planOne(closed.ledger, { ...left!, body, key: 'left behind', shownCents: 9 }, 'a window that has closed');
  assert.equal(used(here), 7);
});

test('a new key for the same service gets no new budget, and another service has its own', async (t) => {
  const { clock, open } = world(t, { perDay: 100 });
  const window = await open();
  window.budgets.place(order());
  await clock.advance(0);
  const other = new TestService(clock);
  other.account = 'account-2';
  window.connected = { place: 'https://models.example', client: other };
  assert.equal(used(window), 4);
  window.connected = { place: 'sandbox', client: other };
  assert.equal(used(window), 0);
});

test('of two windows that send the same render at the same time, one sends it, and the other finds out without an error', async (t) => {
  const { clock, service, open } = world(t, { perDay: 4 });
  const [here, there] = [await open(), await open()];
  const waiting = await unsent(here, service, clock);
  there.library.catchUp();
  const sent = [here.budgets.send(waiting), there.budgets.send(waiting)];
  await clock.advance(0);
  const states = (await Promise.all(sent)).map(({ state }) => state);
  assert.deepEqual(states[0], 'accepted');
  assert.notEqual(states[1], 'planned');
  assert.equal(service.charges.length, 1);
  assert.equal((await there.budgets.send(waiting)).state, 'accepted', 'also when it comes later');
});

test('a waiting render that one window is about to send counts in the others, however long the service’s time takes', async (t) => {
  const { clock, service, open } = world(t, { perDay: 7 });
  const [here, there] = [await open(), await open()];
  const waiting = await unsent(here, service, clock);
  service.forgetTime();
  const sending = there.budgets.send(waiting);
  assert.throws(() => here.budgets.place(order()), exceeds('perDay', 4));
  assert.equal((await sending).state, 'accepted');
  assert.equal(service.charges.length, 1);
});

test('a waiting render for which another window took the last room at the same moment keeps waiting, for the same reason', async (t) => {
  const { clock, service, open } = world(t, { perDay: 7 });
  const [here, there] = [await open(), await open()];
  const waiting = await unsent(here, service, clock);
  const before = here.ledger.get(waiting.key);
  const own = here.renderer.send.bind(here.renderer);
  here.renderer.send = (key) => {
    here.renderer.send = own;
    there.budgets.place(order({ intent: 'first' }));
    return own(key);
  };
  assert.throws(() => here.budgets.send(waiting), exceeds('perDay', 8));
  await clock.advance(60_000);
  const after = here.ledger.get(waiting.key);
  assert.deepEqual([after?.state, after?.problem], ['planned', before?.problem]);
  assert.deepEqual(
    service.charges.map(({ key }) => key),
    ['first'],
  );
});

test('renders settled as not charged leave the limits, and those settled as charged count at their price', async (t) => {
  const { service, open } = world(t, { perDay: 100 });
  const window = await open();
  service.fates = [1, 2].map(() => new ServiceError('status', 'no', { status: 404 }));
  const [one, other] = [inFolder(project), inFolder(project)];
  for (const placed of [one, other]) await window.renderer.send(window.budgets.place(placed).key);
  assert.equal(used(window), 8);
  window.renderer.settle(one.intent, false);
  window.renderer.settle(other.intent, true);
  assert.equal(used(window), 4);
  window.renderer.settle(one.intent, undefined);
  assert.equal(used(window), 8);
});

test('a failed render whose refund is never stated counts for its day, and no longer', async (t) => {
  const { clock, service, open } = world(t, { perProject: { [project]: 100 } });
  const window = await open();
  await window.renderer.send(window.budgets.place(inFolder(project)).key);
  service.set('g1', { status: 'failed' });
  await clock.advance(60_000);
  assert.equal(window.ledger.inStates('failed').length, 1);
  assert.equal(used(window, 'perProject'), 4);
  clock.set(clock.now() + 24 * 3_600_000);
  assert.equal(used(window, 'perProject'), 0);
});
