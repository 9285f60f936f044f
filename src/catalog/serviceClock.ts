import { momentOf, type Clock, type Moment } from '../base/clock';

/** How far our two clocks may drift apart before one of them must have stalled or been set, ms. */
const driftMs = 2000;

/**
 * An answer that took longer may have waited somewhere with its Date growing old, for instance while the machine slept.
 * ms
 */
const freshMs = 20_000;

/** The time at the service. */
export class ServiceClock {
  private heard: (Moment & { readonly service: number; readonly request: number }) | undefined;
  /** How many requests have gone out. */
  private requests = 0;
  /** How many answers have stated a time, whether or not it could be used. */
  stated = 0;

  constructor(private readonly clock: Clock) {}

  /**
   * A request goes out. The call given takes the Date of its answer, ms since 1970; one that may be old tells nothing,
   * and neither does one that a later request has overtaken: it may have waited here while a paused machine's clocks
   * stood still.
   */
  asks(): (service: number | undefined) => void {
    const asked = momentOf(this.clock);
    const request = ++this.requests;
    return (service) => {
      const took = this.since(asked);
      const isOvertaken = this.heard !== undefined && this.heard.request > request;
      if (service !== undefined) this.stated += 1;
      if (service !== undefined && took !== undefined && took <= freshMs && !isOvertaken)
        this.heard = { ...momentOf(this.clock), service, request };
    };
  }

  /** Gives the time as only requests that go out from now on tell it; undefined until one of them has. */
  anew(): () => number | undefined {
    const before = this.requests;
    return () => (this.heard !== undefined && this.heard.request > before ? this.now() : undefined);
  }

  /**
   * Undefined before the service has said so once, and when our clocks no longer agree how long ago that was: one of
   * them stalled in sleep or was set, and nobody here can tell which.
   */
  now(): number | undefined {
    const passed = this.heard && this.since(this.heard);
    return this.heard && passed !== undefined ? this.heard.service + passed : undefined;
  }

  /** How much time has passed since, ms; undefined when our clocks do not agree on it. */
  private since({ now, ticks }: Moment): number | undefined {
    const byWall = this.clock.now() - now;
    const byTicks = this.clock.ticks() - ticks;
    return Math.abs(byWall - byTicks) > driftMs ? undefined : Math.max(byWall, byTicks);
  }
}
