import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Duration, isExpected, likelyEnds, nextLook } from '../../../src/renders/expectations';
import { LookShare } from '../../../src/renders/poller';
import { seeded } from '../seeded';

const renders = 80;
const learning = 5;
const intervalMs = 3000;
const apartMs = 2000;

type Chance = () => number;

function normal(chance: Chance): number {
  return Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
}

interface Lasting {
  /** How long the service takes for the render with this index, ms. */
  readonly ms: (chance: Chance, index: number) => number;
  /**
   * The highest acceptable mean wait, ms: the goal if renders of a model take equally long, else what polls two seconds
   * apart can achieve.
   */
  readonly most: number;
}

const lastings: Record<string, Lasting> = {
  alike: { ms: (chance) => 4200 + 100 * normal(chance), most: 500 },
  'alike and long': { ms: (chance) => 32_000 + 150 * normal(chance), most: 600 },
  'just longer than the interval': { ms: (chance) => 3100 + 30 * normal(chance), most: 350 },
  'within a few seconds': { ms: (chance) => 5000 + 5000 * chance(), most: 1150 },
  'within twenty seconds': { ms: (chance) => 5000 + 20_000 * chance(), most: 1400 },
  'in one of two ways': {
    ms: (chance) => (chance() < 0.6 ? 3500 + 150 * normal(chance) : 14_000 + 300 * normal(chance)),
    most: 750,
  },
  'ever longer': { ms: (chance, index) => 4000 + 40 * index + 100 * normal(chance), most: 900 },
  'as in the sandbox': { ms: (chance) => 1500 + 150 * chance(), most: 320 },
};

interface Course {
  /**
   * The mean time from the end of a render to the poll that noticed it, ms; and the same for polls at a fixed interval.
   */
  readonly wait: number;
  readonly fixedWait: number;
  /** The times of the polls in one long render, ms. */
  readonly looks: readonly number[];
  readonly fixedLooks: number;
}

/** Renders of one model, one after another, polled as the poller does. */
function rendered({ ms }: Lasting, seed: number): Course {
  const chance = seeded(seed);
  const share = new LookShare();
  const durations: Duration[] = [];
  const looks: number[] = [];
  let [now, wait, fixedWait, fixedLooks] = [0, 0, 0, 0];
  for (let index = 0; index < renders; index++) {
    const begin = now;
    const end = begin + ms(chance, index);
    const ends = durations.length < learning ? undefined : likelyEnds(durations.slice(0, 40));
    let pendingAt = begin;
    for (;;) {
      const expected = ends && { ends, ageMs: now - begin, pendingAtMs: pendingAt - begin };
      const soonest = Math.max(0, share.earliest(now, intervalMs) - now);
      const laid = expected && isExpected(expected) ? nextLook([expected], soonest, apartMs) : undefined;
      now += laid ?? Math.max(soonest, intervalMs);
      looks.push(now);
      share.count(now);
      if (now >= end) break;
      pendingAt = now;
    }
    durations.unshift({ longerThan: pendingAt - begin, atMost: now - begin });
    const times = Math.ceil((end - begin) / intervalMs);
    fixedLooks += times;
    if (index >= learning) {
      wait += now - end;
      fixedWait += begin + times * intervalMs - end;
    }
    // A user looks at the result.
    now += 1000 + 4000 * chance();
  }
  const counted = renders - learning;
  return { wait: wait / counted, fixedWait: fixedWait / counted, looks, fixedLooks };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

for (const [name, lasting] of Object.entries(lastings)) {
  test(`the end of a render is met where renders of its model last ${name}`, (t) => {
    const courses = Array.from({ length: 10 }, (_, seed) => rendered(lasting, seed + 1));
    const wait = mean(courses.map((course) => course.wait));
    const fixed = mean(courses.map(({ fixedWait }) => fixedWait));
    const requests = mean(courses.map(({ looks }) => looks.length / renders));
    const fixedRequests = mean(courses.map(({ fixedLooks }) => fixedLooks / renders));
    const figures = [fixed.toFixed(0), wait.toFixed(0), fixedRequests.toFixed(2), requests.toFixed(2)];
    t.diagnostic(`wait ${figures[0]} → ${figures[1]} ms, looks a render ${figures[2]} → ${figures[3]}`);
    assert.ok(wait <= lasting.most, `${wait} ms`);
    assert.ok(wait <= fixed, `${wait} ms, ${fixed} ms at a fixed interval`);
    for (const { looks } of courses) {
      looks.forEach((from, index) => {
        const next = looks[index + 1] ?? Infinity;
        assert.ok(next - from >= apartMs - 0.001, `two looks ${next - from} ms apart`);
        const within = looks.filter((at) => at >= from && at < from + 60_000).length;
        assert.ok(within <= 60_000 / intervalMs, `${within} looks in a minute`);
      });
    }
  });
}

test('one poll serves several renders: those that end together are noticed together', () => {
  const durations = Array.from({ length: 10 }, () => ({ longerThan: 7900, atMost: 8100 }));
  const ends = likelyEnds(durations);
  const at = nextLook(
    [0, 100, 200].map((ageMs) => ({ ends, ageMs, pendingAtMs: 0 })),
    0,
    apartMs,
  );
  assert.ok(at >= 7700 && at <= 8700, `a look in ${at} ms`);
});

test('a render that takes longer than all others of its model is no longer expected', () => {
  const ends = likelyEnds([{ longerThan: 1000, atMost: 2000 }]);
  assert.equal(isExpected({ ends, ageMs: 60_000, pendingAtMs: 58_000 }), false);
});

test('a render during which the machine slept for hours doesn’t delay the polls of others', () => {
  const usual = Array.from({ length: 9 }, () => ({ longerThan: 3900, atMost: 4300 }));
  const ends = likelyEnds([{ longerThan: 2000, atMost: 9 * 3_600_000 }, ...usual]);
  const at = nextLook([{ ends, ageMs: 0, pendingAtMs: 0 }], 0, apartMs);
  assert.ok(at >= 3900 && at <= 5500, `a look in ${at} ms`);
});
