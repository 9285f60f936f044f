import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import { addAt, at, sum } from '../base/numbers';
import type { Random } from '../base/random';
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
    this.listening = ledger.onDidChange((record) => {
      if (record.state === 'succeeded') this.learned.delete(nameOf(record));
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
    const name = nameOf(render);
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

function nameOf({ place, modelId }: Timed): string {
  return JSON.stringify([place, modelId]);
}

/** Estimates when renders in progress end, from past renders of their models. */
export class Expectations {
  private readonly ends = new Map<string, LikelyEnds | undefined>();
  private readonly pending = new Map<string, number>();

  constructor(
    private readonly durations: Durations,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /** Undefined when nothing is known: too few renders of its model were seen, or it takes longer than all of them. */
  of(record: RenderRecord): Expected | undefined {
    const { key, state, acceptedAt } = record;
    if (state !== 'accepted' || acceptedAt === undefined) return undefined;
    if (!this.ends.has(key)) {
      const durations = this.durations.of(record);
      this.ends.set(key, durations && likelyEnds(durations, this.random));
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

/** When a render is likely to end: its age is divided into cells of equal length, each with a probability. */
interface LikelyEnds {
  /** The length of a cell, ms. */
  readonly cellMs: number;
  /** The probability of each cell, from age 0; they add up to 1. */
  readonly shares: Float64Array;
}

const cells = 240;
/** Iterations of the estimate. */
const rounds = 12;
/** The weight of a duration relative to the next newer one, so that a trend is followed. */
const fading = 0.93;
/** Durations known less precisely than this say little about the range of ages, ms. */
const vague = 15_000;
/** The usual difference between two renders that take equally long, ms. */
const leastSpread = 120;
/** The part of the observed spread that is expected around each duration. */
const spreadShare = 0.5;
/** Durations needed before their pattern counts as much as their range. */
const trusted = 2;

/**
 * The likely ends of a render, from at least one duration of others, newest first. Each is known only between two
 * requests, so its position in between is drawn at random, weighted by the others: requests that follow the draw learn
 * more than requests that repeat each other.
 */
export function likelyEnds(durations: readonly Duration[], random: Pick<Random, 'unit'>): LikelyEnds {
  const cellMs = spanOf(durations) / cells;
  const weights = durations.map((_, index) => fading ** index);
  const ranges = durations.map((duration) => cellsOf(duration, cellMs));
  const estimate = estimated(ranges, weights);
  const drawn = ranges.map((range) => drawnFrom(range, estimate, random) * cellMs);
  return { cellMs, shares: spreadOut(drawn, weights, cellMs) };
}

/** The range of ages to consider, ms. */
function spanOf(durations: readonly Duration[]): number {
  const longest = durations.map(({ longerThan, atMost }) => (atMost - longerThan <= vague ? atMost : longerThan));
  return 1.15 * Math.max(...longest) + 4000;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The cells that a duration covers, at least one. */
function cellsOf({ longerThan, atMost }: Duration, cellMs: number): Range {
  const from = Math.min(cells - 1, Math.floor(longerThan / cellMs));
  return { from, to: Math.max(from + 1, Math.min(cells, Math.ceil(atMost / cellMs))) };
}

/**
 * The probabilities that make the observations most likely, smoothed in each iteration: expectation maximization for
 * interval-censored durations.
 */
function estimated(ranges: readonly Range[], weights: readonly number[]): Float64Array {
  let shares: Float64Array = new Float64Array(cells).fill(1 / cells);
  for (let round = 0; round < rounds; round++) {
    const next = new Float64Array(cells);
    ranges.forEach((range, index) => {
      const mass = massOf(shares, range);
      for (let cell = range.from; cell < range.to; cell++)
        addAt(next, cell, at(weights, index) * (mass > 0 ? at(shares, cell) / mass : 1 / (range.to - range.from)));
    });
    shares = smoothed(next);
  }
  return shares;
}

function massOf(shares: Float64Array, { from, to }: Range): number {
  let mass = 0;
  for (let cell = from; cell < to; cell++) mass += at(shares, cell);
  return mass;
}

function smoothed(shares: Float64Array): Float64Array {
  const all = massOf(shares, { from: 0, to: cells });
  return shares.map((own, cell) => (own / 2 + ((shares[cell - 1] ?? own) + (shares[cell + 1] ?? own)) / 4) / all);
}

/** A position in the range, in cells, drawn by probability. */
function drawnFrom(range: Range, shares: Float64Array, random: Pick<Random, 'unit'>): number {
  let left = random.unit() * massOf(shares, range);
  let cell = range.from;
  while (cell < range.to - 1 && left >= at(shares, cell)) left -= at(shares, cell++);
  return cell + random.unit();
}

/**
 * Spreads each duration by the usual difference between renders, and over the whole range the more, the fewer were
 * seen.
 */
function spreadOut(drawn: readonly number[], weights: readonly number[], cellMs: number): Float64Array {
  const seen = sum(weights);
  const mean = sum(drawn.map((ms, index) => ms * at(weights, index))) / seen;
  const spread = Math.sqrt(sum(drawn.map((ms, index) => at(weights, index) * (ms - mean) ** 2)) / seen);
  const near = 2 * (leastSpread + (spreadShare * Math.min(spread, 1500)) / seen ** 0.4);
  const wide = Math.max(near, 2 * spread);
  const doubt = trusted / (seen + trusted);
  const shares = new Float64Array(cells);
  drawn.forEach((ms, index) => {
    const share = at(weights, index) / seen;
    addAround(shares, ms, near, share * (1 - doubt), cellMs);
    addAround(shares, ms, wide, share * doubt, cellMs);
  });
  return shares;
}

/** Adds a probability that falls off evenly on both sides of a duration. */
function addAround(shares: Float64Array, ms: number, reach: number, share: number, cellMs: number): void {
  const from = Math.max(0, Math.floor((ms - reach) / cellMs));
  const to = Math.min(cells, Math.ceil((ms + reach) / cellMs));
  const height = (cell: number) => Math.max(0, 1 - Math.abs((cell + 0.5) * cellMs - ms) / reach);
  let all = 0;
  for (let cell = from; cell < to; cell++) all += height(cell);
  if (all === 0) addAt(shares, Math.min(cells - 1, Math.max(0, Math.floor(ms / cellMs))), share);
  else for (let cell = from; cell < to; cell++) addAt(shares, cell, (share * height(cell)) / all);
}

/** A render with its likely ends, and its age when it was last known to be in progress, ms. */
export interface Expected {
  readonly ends: LikelyEnds;
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
  return ageMs < lastEnd(ends) && massAfter(ends, pendingAtMs) > 0.001;
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
    const left = massAfter(ends, pendingAtMs);
    ends.shares.forEach((share, cell) => {
      const age = (cell + 0.5) * ends.cellMs;
      if (share === 0 || age < pendingAtMs) return;
      const slot = Math.min(slots, Math.max(1, Math.ceil((age - ageMs) / slotMs)));
      addAt(shares, slot, share / left);
      addAt(waits, slot, (share / left) * (age - ageMs));
    });
  }
  for (let slot = 1; slot <= slots; slot++) {
    addAt(shares, slot, at(shares, slot - 1));
    addAt(waits, slot, at(waits, slot - 1));
  }
  return { shares, waits };
}

/** The highest age at which it may end, ms. */
function lastEnd({ shares, cellMs }: LikelyEnds): number {
  return (shares.findLastIndex((share) => share > 0) + 1) * cellMs;
}

function massAfter({ shares, cellMs }: LikelyEnds, ms: number): number {
  return shares.reduce((mass, share, cell) => ((cell + 0.5) * cellMs < ms ? mass : mass + share), 0);
}
