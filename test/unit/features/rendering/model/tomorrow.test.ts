import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../../../src/base/log';
import { nextDay, Tomorrow } from '../../../../../src/features/rendering/model/tomorrow';
import type { RenderRecord } from '../../../../../src/renders/record';
import { TestClock } from '../../../clock';

const hourMs = 3_600_000;

/** A window with the storage that all windows share. */
class Desk {
  readonly asked: string[][] = [];
  readonly records = new Map<string, RenderRecord>();
  inUse = true;
  mayAsk = (): boolean => true;

  constructor(
    readonly clock = new TestClock(),
    readonly kept = new Map<string, unknown>(),
  ) {}

  open(): Tomorrow {
    const store = {
      get: (key: string) => this.kept.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void this.kept.set(key, value)),
    };
    const world = {
      record: (key: string) => this.records.get(key),
      isInUse: () => this.inUse,
      mayAsk: () => this.mayAsk(),
      ask: (records: readonly RenderRecord[]) => void this.asked.push(records.map(({ key }) => key)),
    };
    return new Tomorrow(store, world, this.clock, silentLog);
  }

  refused(key: string): RenderRecord {
    const record = { key, state: 'refused', problem: { code: 'dailyCap' } } as RenderRecord;
    this.records.set(key, record);
    return record;
  }
}

const untilNextDay = (clock: TestClock) => nextDay(clock.now()) - clock.now();

test('the next day has begun both here and in UTC', () => {
  for (const now of [Date.UTC(2026, 2, 28, 23, 30), Date.UTC(2026, 2, 29), Date.UTC(2026, 9, 24, 11)]) {
    const next = new Date(nextDay(now));
    assert.notEqual(next.toDateString(), new Date(now).toDateString());
    assert.notEqual(next.toISOString().slice(0, 10), new Date(now).toISOString().slice(0, 10));
    assert.ok(nextDay(now) - now <= 49 * hourMs);
  }
});

test('postponed renders are asked about on the next day, once, and together', async () => {
  const desk = new Desk();
  const tomorrow = desk.open();
  await tomorrow.keep([desk.refused('a')]);
  await tomorrow.keep([desk.refused('b'), desk.refused('a')]);
  await desk.clock.advance(untilNextDay(desk.clock) - 1);
  assert.deepEqual(desk.asked, []);
  await desk.clock.advance(2000);
  assert.deepEqual(desk.asked, [['b', 'a']]);
  await desk.clock.advance(48 * hourMs);
  assert.equal(desk.asked.length, 1);
  assert.equal(desk.clock.waiting, 0);
});

test('if no window was open on that day, the next one asks', async () => {
  const desk = new Desk();
  const first = desk.open();
  await first.keep([desk.refused('a')]);
  first.dispose();
  await desk.clock.advance(72 * hourMs);
  assert.deepEqual(desk.asked, []);
  desk.open().look();
  assert.deepEqual(desk.asked, [['a']]);
});

test('a machine that slept through the day asks soon after', async () => {
  const desk = new Desk();
  const tomorrow = desk.open();
  await tomorrow.keep([desk.refused('a')]);
  desk.clock.set(desk.clock.now() + 72 * hourMs);
  await desk.clock.advance(10 * 60_000);
  assert.deepEqual(desk.asked, [['a']]);
});

test('a render of another account waits for that account', async () => {
  const desk = new Desk();
  const tomorrow = desk.open();
  await tomorrow.keep([desk.refused('a')]);
  desk.inUse = false;
  await desk.clock.advance(72 * hourMs);
  assert.deepEqual(desk.asked, []);
  desk.inUse = true;
  tomorrow.look();
  assert.deepEqual(desk.asked, [['a']]);
});

test('if another window asks, this one doesn’t', async () => {
  const desk = new Desk();
  desk.mayAsk = () => false;
  await desk.open().keep([desk.refused('a')]);
  await desk.clock.advance(72 * hourMs);
  assert.deepEqual(desk.asked, []);
});

test('what is no longer rejected, or no longer exists, is dropped', async () => {
  const desk = new Desk();
  const tomorrow = desk.open();
  await tomorrow.keep([desk.refused('a'), desk.refused('b'), desk.refused('c')]);
  desk.records.delete('a');
  desk.records.set('b', { ...desk.records.get('b')!, state: 'discarded' });
  await desk.clock.advance(72 * hourMs);
  assert.deepEqual(desk.asked, [['c']]);
  assert.equal(desk.clock.waiting, 0);
});

test('an invalid stored value prevents nothing', async () => {
  const desk = new Desk(new TestClock(), new Map<string, unknown>([['startTomorrow', [{ key: 1 }, null, 'x']]]));
  const tomorrow = desk.open();
  tomorrow.look();
  await tomorrow.keep([desk.refused('a')]);
  await desk.clock.advance(72 * hourMs);
  assert.deepEqual(desk.asked, [['a']]);
});

test('a ledger that can’t be read now is read again later', async () => {
  const desk = new Desk();
  const tomorrow = desk.open();
  await tomorrow.keep([desk.refused('a')]);
  desk.mayAsk = () => {
    throw new Error('disk');
  };
  await desk.clock.advance(72 * hourMs);
  desk.mayAsk = () => true;
  await desk.clock.advance(hourMs);
  assert.deepEqual(desk.asked, [['a']]);
});
