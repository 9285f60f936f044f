import { addAt, at, sum } from '../base/numbers';
import type { Random } from '../base/random';
import type { Duration } from './durations';

/** How likely a render ends when: its age is cut into cells of equal length, and each has its share. */
export interface LikelyEnds {
  /** The length of a cell, ms. */
  readonly cellMs: number;
  /** A share for each cell, from age 0; together 1. */
  readonly shares: Float64Array;
}

const cells = 240;
/** How often the estimate is improved. */
const rounds = 12;
/** What a duration counts against the one that was seen after it: what grows is followed. */
const fading = 0.93;
/** A duration known no better than that says little about how long ages must be reckoned with, ms. */
const vague = 15_000;
/** Two renders that took as long differ by about that, ms. */
const leastSpread = 120;
/** How much of the spread that was seen is expected around each duration. */
const spreadShare = 0.5;
/** How many durations must have been seen before the pattern in them counts as much as their mere range. */
const trusted = 2;

/**
 * When a render is likely to end, by durations of others, the newest first; at least one. Each is known between two
 * looks only, so where in between it lay is drawn by chance, as likely as the others make it: looks that follow the
 * draw find out more than looks that repeat themselves.
 */
export function likelyEnds(durations: readonly Duration[], random: Pick<Random, 'unit'>): LikelyEnds {
  const cellMs = spanOf(durations) / cells;
  const weights = durations.map((_, index) => fading ** index);
  const ranges = durations.map((duration) => cellsOf(duration, cellMs));
  const estimate = estimated(ranges, weights);
  const drawn = ranges.map((range) => drawnFrom(range, estimate, random) * cellMs);
  return { cellMs, shares: spreadOut(drawn, weights, cellMs) };
}

/** The ages to reckon with, ms. */
function spanOf(durations: readonly Duration[]): number {
  const longest = durations.map(({ longerThan, atMost }) => (atMost - longerThan <= vague ? atMost : longerThan));
  return 1.15 * Math.max(...longest) + 4000;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The cells a duration lies in, at least one. */
function cellsOf({ longerThan, atMost }: Duration, cellMs: number): Range {
  const from = Math.min(cells - 1, Math.floor(longerThan / cellMs));
  return { from, to: Math.max(from + 1, Math.min(cells, Math.ceil(atMost / cellMs))) };
}

/**
 * The shares of the cells under which what was seen is most likely, smoothed in each round: expectation maximization
 * for durations of which only the bounds are known.
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

/** A place in the range, in cells, drawn by their shares. */
function drawnFrom(range: Range, shares: Float64Array, random: Pick<Random, 'unit'>): number {
  let left = random.unit() * massOf(shares, range);
  let cell = range.from;
  while (cell < range.to - 1 && left >= at(shares, cell)) left -= at(shares, cell++);
  return cell + random.unit();
}

/**
 * Around each duration what renders usually differ by, and over the range of all of them the more, the fewer were
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

/** Adds a share that falls off evenly on both sides of a duration. */
function addAround(shares: Float64Array, ms: number, reach: number, share: number, cellMs: number): void {
  const from = Math.max(0, Math.floor((ms - reach) / cellMs));
  const to = Math.min(cells, Math.ceil((ms + reach) / cellMs));
  const height = (cell: number) => Math.max(0, 1 - Math.abs((cell + 0.5) * cellMs - ms) / reach);
  let all = 0;
  for (let cell = from; cell < to; cell++) all += height(cell);
  if (all === 0) addAt(shares, Math.min(cells - 1, Math.max(0, Math.floor(ms / cellMs))), share);
  else for (let cell = from; cell < to; cell++) addAt(shares, cell, (share * height(cell)) / all);
}
