import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { type Log, reasonOf } from '../base/log';
import { addAt, at, sum } from '../base/numbers';
import type { Ledger } from './ledger';
import type { RenderRecord } from './record';

/** Bounds on how long a render took at the service, as far as polling shows. */
export interface Duration {
  /** It was still in progress after this time, ms. */
  readonly longerThan: number;
  /** It had ended by this time, ms. */
  readonly atMost: number;
}

/** Identifies renders that take about as long: one model at one service. */
export type Timed = Pick<RenderRecord, 'place' | 'modelId' | 'inputs'>;

/** Past renders needed before a duration is estimated. */
const fewest = 5;
/** Only the newest ones count: services and models change. */
const most = 40;
/** A render that was still in progress after this long wasn't: the clock was set forward meanwhile. ms */
const implausibleMs = 24 * 3_600_000;
/** Inputs are of similar size while one is at most this many times as large as the other. */
const alike = 4;

/**
 * How long past renders of each model took, learned from the ledger: newest first, only those with inputs of similar
 * size.
 */
export class Durations implements Disposable {
  private readonly learned = new Map<string, readonly RenderRecord[]>();
  private readonly listening: Disposable;

  constructor(
    private readonly ledger: Ledger,
    private readonly log: Log,
  ) {
    this.listening = ledger.onDidChange(({ now: record }) => {
      if (record.state === 'succeeded') this.learned.delete(timingKeyOf(record));
    });
  }

  /** Durations of comparable renders, newest first; undefined while there are too few. Never throws. */
  of(render: Timed): readonly Duration[] | undefined {
    const all = this.ended(render);
    const size = sizeOf(render);
    const near = all.filter((other) => isAlike(sizeOf(other), size));
    const chosen = (near.length >= fewest ? near : all).flatMap((record) => durationOf(record) ?? []);
    return chosen.length >= fewest ? chosen : undefined;
  }

  /** The median duration of comparable renders, ms; undefined while there are too few. */
  usualMs(render: Timed): number | undefined {
    const middles = this.of(render)?.map(({ longerThan, atMost }) => (longerThan + atMost) / 2);
    return middles?.toSorted((one, other) => one - other)[Math.floor(middles.length / 2)];
  }

  dispose(): void {
    this.listening.dispose();
  }

  private ended(render: Timed): readonly RenderRecord[] {
    const name = timingKeyOf(render);
    try {
      const ended = this.learned.get(name) ?? this.ledger.newestSuccesses(render.place, render.modelId, most);
      this.learned.set(name, ended);
      return ended;
    } catch (error) {
      this.log.warn(`Couldn’t read how long renders took: ${reasonOf(error)}`);
      return [];
    }
  }
}

/** Undefined where it wasn’t recorded, or the clock was changed meanwhile. */
function durationOf({ acceptedAt, pendingAt, endedAt }: RenderRecord): Duration | undefined {
  if (acceptedAt === undefined || endedAt === undefined || endedAt <= acceptedAt) return undefined;
  const longerThan = Math.max(0, (pendingAt ?? acceptedAt) - acceptedAt);
  const atMost = endedAt - acceptedAt;
  return longerThan < atMost && longerThan < implausibleMs ? { longerThan, atMost } : undefined;
}

/** In characters, roughly: a record holds only the beginnings of large inputs. */
function sizeOf({ inputs }: Timed): number {
  return JSON.stringify(inputs).length;
}

function isAlike(one: number, other: number): boolean {
  return Math.max(one, other) <= alike * Math.min(one, other);
}

function timingKeyOf({ place, modelId }: Timed): string {
  return JSON.stringify([place, modelId]);
}

/** Estimates when renders in progress end, from past renders of their models. */
export class Expectations {
  private readonly ends = new Map<string, readonly LikelyEnd[] | undefined>();
  private readonly pending = new Map<string, number>();

  constructor(
    private readonly durations: Durations,
    private readonly clock: Clock,
  ) {}

  /** Undefined when nothing is known: too few renders of its model were seen, or it takes longer than all of them. */
  of(record: RenderRecord): Expected | undefined {
    const { key, state, acceptedAt } = record;
    if (state !== 'accepted' || acceptedAt === undefined) return undefined;
    if (!this.ends.has(key)) {
      const durations = this.durations.of(record);
      this.ends.set(key, durations && likelyEnds(durations));
    }
    const ends = this.ends.get(key);
    if (!ends) return undefined;
    const ageMs = Math.max(0, this.clock.now() - acceptedAt);
    const pendingAtMs = Math.max(0, (this.pending.get(key) ?? acceptedAt) - acceptedAt);
    const expected = { ends, ageMs, pendingAtMs };
    return isExpected(expected) ? expected : undefined;
  }

  /** A response to a request of that time (ms since 1970) said that the render is still in progress. */
  goesOn(key: string, at: number): void {
    this.pending.set(key, at);
  }

  /** When it was last known to be in progress, ms since 1970; undefined if never. */
  pendingAt(key: string): number | undefined {
    return this.pending.get(key);
  }

  /** Drops all renders but these. */
  keep(keys: ReadonlySet<string>): void {
    for (const map of [this.ends, this.pending]) for (const key of map.keys()) if (!keys.has(key)) map.delete(key);
  }
}

/** An age at which a render may end, ms, and how probable that is relative to its other ages. */
interface LikelyEnd {
  readonly atMs: number;
  readonly share: number;
}

/** The weight of a duration relative to the next newer one, so that a trend is followed. */
const fading = 0.93;
/** Durations known less precisely than this say little about when others end, ms. */
const vagueMs = 15_000;
/** How much more likely an age is where durations overlap. */
const overlapPower = 5;
/** The ages that stand for a time during which as many renders may have ended, and the least time between them, ms. */
const agesOfPart = 3;
const leastApartMs = 100;

/**
 * The likely ends of a render, from at least one duration of others, newest first. Each of these is known only between
 * two requests: it's most likely where it overlaps with most others.
 */
export function likelyEnds(durations: readonly Duration[]): readonly LikelyEnd[] {
  const known = durations.map(({ longerThan, atMost }, index) => ({
    from: longerThan,
    to: Math.min(atMost, longerThan + vagueMs),
    weight: fading ** index,
  }));
  const ages = [...new Set(known.flatMap(({ from, to }) => [from, to]))].toSorted((one, other) => one - other);
  const parts = ages.slice(1).map((to, index) => {
    const from = at(ages, index);
    const overlapping = known.filter((range) => range.from <= from && to <= range.to);
    const density = sum(overlapping.map(({ weight }) => weight)) ** overlapPower;
    return { from, to, overlapping, mass: density * (to - from) };
  });
  const massIn = (range: (typeof known)[number]) =>
    sum(parts.map(({ overlapping, mass }) => (overlapping.includes(range) ? mass : 0)));
  const weightOfMass = new Map(known.map((range) => [range, range.weight / massIn(range)]));
  return parts.flatMap(({ from, to, overlapping, mass }) => {
    const count = Math.min(agesOfPart, Math.ceil((to - from) / leastApartMs));
    const share = (mass * sum(overlapping.map((range) => weightOfMass.get(range) ?? 0))) / count;
    const between = (to - from) / count;
    return share === 0 ? [] : Array.from({ length: count }, (_, n) => ({ atMs: from + (n + 0.5) * between, share }));
  });
}

/** A render with its likely ends, and its age when it was last known to be in progress, ms. */
export interface Expected {
  readonly ends: readonly LikelyEnd[];
  readonly ageMs: number;
  /** 0 before the first poll. */
  readonly pendingAtMs: number;
}

const slots = 240;
/** The waiting time that a poll must save, ms for one render: requests cost the service too. */
const worthMs = 50;
/** How long after its last planned poll a render that didn't end by then is expected to be found, ms. */
const lateMs = 2500;

/** False once the render takes longer than all known durations. */
export function isExpected({ ends, ageMs, pendingAtMs }: Expected): boolean {
  return ageMs < lastEnd(ends) && shareAfter(ends, pendingAtMs) > 0.001;
}

/**
 * How long to wait for the poll that, with those after it, minimizes the total delay until the ends of all these
 * renders are noticed, ms. At least `soonestMs`, with polls at least `apartMs` apart. One response covers all renders.
 */
export function nextLook(expected: readonly Expected[], soonestMs: number, apartMs: number): number {
  const horizon = Math.max(...expected.map(({ ends, ageMs }) => lastEnd(ends) - ageMs), 0);
  const slotMs = Math.max(soonestMs + apartMs, horizon) / slots;
  const { shares, waits } = sumsOf(expected, slotMs);
  // The delays of all renders that end between one poll and the next.
  const between = (one: number, next: number) =>
    next * slotMs * (at(shares, next) - at(shares, one)) - (at(waits, next) - at(waits, one));
  const first = Math.min(slots, Math.max(1, Math.ceil(soonestMs / slotMs)));
  const apart = Math.max(1, Math.ceil(apartMs / slotMs));
  // Backward: the least total delay from a poll in each slot, and the poll that follows.
  const rest = new Float64Array(slots + 1);
  for (let slot = slots; slot >= first; slot--) {
    let least = lateMs * (at(shares, slots) - at(shares, slot));
    for (let next = slot + apart; next <= slots; next++)
      least = Math.min(least, worthMs + between(slot, next) + at(rest, next));
    rest[slot] = least;
  }
  let best = first;
  for (let slot = first; slot <= slots; slot++)
    if (between(0, slot) + at(rest, slot) < between(0, best) + at(rest, best)) best = slot;
  return best * slotMs;
}

/**
 * For each slot from now on, how many renders are expected to have ended by its end, and the sum of their end times.
 * Ends that were due before now count as now.
 */
function sumsOf(expected: readonly Expected[], slotMs: number): { shares: Float64Array; waits: Float64Array } {
  const shares = new Float64Array(slots + 1);
  const waits = new Float64Array(slots + 1);
  for (const { ends, ageMs, pendingAtMs } of expected) {
    const left = shareAfter(ends, pendingAtMs);
    for (const { atMs, share } of ends) {
      if (atMs < pendingAtMs) continue;
      const slot = Math.min(slots, Math.max(1, Math.ceil((atMs - ageMs) / slotMs)));
      addAt(shares, slot, share / left);
      addAt(waits, slot, (share / left) * (atMs - ageMs));
    }
  }
  for (let slot = 1; slot <= slots; slot++) {
    addAt(shares, slot, at(shares, slot - 1));
    addAt(waits, slot, at(waits, slot - 1));
  }
  return { shares, waits };
}

/** The highest age at which it may end, ms. */
function lastEnd(ends: readonly LikelyEnd[]): number {
  return ends.at(-1)?.atMs ?? 0;
}

/** The share of the ends that are later than this age, ms. */
function shareAfter(ends: readonly LikelyEnd[], ms: number): number {
  return sum(ends.map(({ atMs, share }) => (atMs < ms ? 0 : share)));
}
