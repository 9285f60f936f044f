import { momentOf, type Clock, type Moment } from '../base/clock';

/** How far our two clocks may drift apart; beyond that, one has stalled or been set, ms. */
const driftMs = 2000;

/** A response that took longer may have waited somewhere while its Date grew old, for instance during sleep, ms. */
const freshMs = 20_000;

/** The time at the service. */
export class ServiceClock {
  private heard: (Moment & { readonly service: number; readonly request: number }) | undefined;
  /** How many requests have been sent. */
  private requests = 0;
  /** How many responses have stated a time, usable or not. */
  stated = 0;
  /** How many responses came from a cache on the way, so that nobody knows how old the time in them is. */
  kept = 0;

  constructor(private readonly clock: Clock) {}

  /**
   * A request is sent. The returned function takes the Date of its response, ms since 1970, or `kept` if it's a
   * cache's. One that may be old doesn't count, nor does one that a later request has overtaken, since it may have
   * waited here while a paused machine's clocks weren't running.
   */
  asks(): (service: number | 'kept' | undefined) => void {
    const asked = momentOf(this.clock);
    const request = ++this.requests;
    return (service) => {
      const took = this.since(asked);
      const isOvertaken = this.heard !== undefined && this.heard.request > request;
      if (service === 'kept') this.kept += 1;
      if (typeof service !== 'number') return;
      this.stated += 1;
      if (took !== undefined && took <= freshMs && !isOvertaken)
        this.heard = { ...momentOf(this.clock), service, request };
    };
  }

  /** The time as stated by requests from now on; undefined until there is one. */
  anew(): () => number | undefined {
    const before = this.requests;
    return () => (this.heard !== undefined && this.heard.request > before ? this.now() : undefined);
  }

  /**
   * Undefined before the service has stated it once, and when our clocks disagree on how long ago that was: one of them
   * stalled in sleep or was set, and we can't tell which.
   */
  now(): number | undefined {
    const passed = this.heard && this.since(this.heard);
    return this.heard && passed !== undefined ? this.heard.service + passed : undefined;
  }

  /** How much time has passed since, ms; undefined if our clocks disagree. */
  private since({ now, ticks }: Moment): number | undefined {
    const byWall = this.clock.now() - now;
    const byTicks = this.clock.ticks() - ticks;
    return Math.abs(byWall - byTicks) > driftMs ? undefined : Math.max(byWall, byTicks);
  }
}
