import { addAt, at, sum } from '../base/numbers';
import type { Random } from '../base/random';
import type { Duration } from './durations';

/** When a render is likely to end: its age is divided into cells of equal length, each with a probability. */
export interface LikelyEnds {
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
