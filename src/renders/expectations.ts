import type { Clock } from '../base/clock';
import type { Random } from '../base/random';
import type { Durations } from './durations';
import { likelyEnds, type LikelyEnds } from './likelyEnds';
import { isExpected, type Expected } from './nextLook';
import type { RenderRecord } from './record';

/** When the renders in progress are expected to end, by how long others of their models took. */
export class Expectations {
  private readonly ends = new Map<string, LikelyEnds | undefined>();
  private readonly pending = new Map<string, number>();

  constructor(
    private readonly durations: Durations,
    private readonly clock: Clock,
    private readonly random: Random,
  ) {}

  /** Undefined where nothing is known: too few renders of its model were seen, or it takes longer than all of them. */
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

  /** The service answered a request of that time (ms since 1970) that the render goes on. */
  goesOn(key: string, at: number): void {
    this.pending.set(key, at);
  }

  /** When it was last known to go on, ms since 1970; undefined where it never was. */
  pendingAt(key: string): number | undefined {
    return this.pending.get(key);
  }

  /** Forgets all renders but these. */
  keep(keys: ReadonlySet<string>): void {
    for (const map of [this.ends, this.pending]) for (const key of map.keys()) if (!keys.has(key)) map.delete(key);
  }
}
