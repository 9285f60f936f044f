import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Clock } from '../../../src/base/clock';
import { Ledger } from '../../../src/renders/ledger';
import { LedgerError } from '../../../src/renders/ledgerError';
import { leaseMs, LeaseLost, WindowLease, type Hold } from '../../../src/renders/windowLease';
import { TestClock } from '../clock';
import { folderFor } from './world';

const year = 365 * 24 * 60 * 60_000;

/** A separate process: its monotonic clock starts anywhere, and it can pause. */
class Process implements Clock {
  isFrozen = false;
  constructor(
    private readonly clock: TestClock,
    private readonly zero: number,
  ) {}
  now = () => this.clock.now();
  ticks = () => this.clock.ticks() + this.zero;
  after = (ms: number, call: () => void) =>
    this.clock.after(ms, () => {
      if (!this.isFrozen) call();
    });
}

async function windowsOf(t: TestContext) {
  const clock = new TestClock();
  const path = join(folderFor(t), 'ledger.db');
  const open = async (name: string, zero: number) => {
    const ledger = await Ledger.open(path);
    t.after(() => ledger.close());
    const process = new Process(clock, zero);
    return { ledger, process, lease: new WindowLease(ledger, process, { uuid: () => name, unit: () => 0.5 }) };
  };
  return { clock, open, one: await open('one', 1e9), other: await open('other', 0) };
}

/** Work that continues until the test ends it. */
function work(lease: WindowLease) {
  let hold: Hold | undefined;
  let end = () => {};
  const done = lease.holding('work', (given) => {
    hold = given;
    return new Promise<boolean>((resolve) => (end = () => resolve(true)));
  });
  return { hold, done, end: () => end() };
}

const never = () => assert.fail('another window is at it');

test('no clock change, by years in either direction, takes work from a window that is alive (A3)', async (t) => {
  const { clock, one, other } = await windowsOf(t);
  const { hold, done, end } = work(one.lease);
  for (const by of [year, -20 * year, 1, 0]) {
    clock.set(clock.now() + by);
    assert.equal(await other.lease.holding('work', never), undefined);
    assert.ok(other.lease.isTaken('work'));
    await clock.advance(leaseMs);
    assert.equal(await other.lease.holding('work', never), undefined);
    hold?.prove();
  }
  end();
  assert.equal(await done, true);
  assert.equal(await other.lease.holding('work', () => Promise.resolve('free')), 'free');
});

test('a suspended window’s work goes to another one, and stops when it resumes', async (t) => {
  const { clock, one, other } = await windowsOf(t);
  const { hold, done, end } = work(one.lease);
  one.process.isFrozen = true;
  assert.equal(await other.lease.holding('work', never), undefined);
  await clock.advance(leaseMs);
  const taken = await other.lease.holding('work', () => {
    // None of its timers has fired yet, so the ledger detects it.
    assert.throws(() => hold?.prove(), LeaseLost);
    assert.ok(hold?.signal.aborted);
    return Promise.resolve('taken');
  });
  assert.equal(taken, 'taken');
  end();
  await done;
  // Work that ends late releases nothing that it no longer has.
  assert.ok(!other.lease.isTaken('work'));
});

test('work that another window took and ended is lost too, even if its lease is free again (A3)', async (t) => {
  const { clock, one, other } = await windowsOf(t);
  const { hold } = work(one.lease);
  one.process.isFrozen = true;
  assert.ok(other.lease.isTaken('work'));
  await clock.advance(leaseMs);
  await other.lease.holding('work', () => Promise.resolve());
  assert.throws(() => hold?.prove(), LeaseLost);
});

test('a suspended window continues if nobody took over', async (t) => {
  const { clock, one } = await windowsOf(t);
  const { hold } = work(one.lease);
  one.process.isFrozen = true;
  await clock.advance(10 * leaseMs);
  hold?.prove();
});

test('work stops if its lease couldn’t be renewed in time, before others take over (A3)', async (t) => {
  const { clock, one, other } = await windowsOf(t);
  const { hold } = work(one.lease);
  assert.ok(other.lease.isTaken('work'));
  one.ledger.renew = () => {
    throw new LedgerError('full', 'database or disk is full');
  };
  await clock.advance(6_000);
  hold?.prove();
  await clock.advance(2_900);
  assert.ok(other.lease.isTaken('work'));
  assert.throws(() => hold?.prove(), LeaseLost);
});

test('a crashed window’s leases are free after ten seconds for one that opens days later', async (t) => {
  const { clock, open, one } = await windowsOf(t);
  void work(one.lease);
  one.process.isFrozen = true;
  await clock.advance(3 * 24 * 60 * 60_000);
  const { lease } = await open('late', 5);
  // Checking any lease starts watching all of them.
  assert.ok(!lease.isTaken('another'));
  await clock.advance(leaseMs);
  assert.equal(await lease.holding('work', () => Promise.resolve('free')), 'free');
});
