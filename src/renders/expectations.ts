import type { Clock } from '../base/clock';
import type { Random } from '../base/random';
import type { Durations } from './durations';
import { likelyEnds, type LikelyEnds } from './likelyEnds';
import { isExpected, type Expected } from './nextLook';
import type { RenderRecord } from './record';

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
