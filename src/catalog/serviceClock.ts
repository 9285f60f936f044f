import type { Clock } from '../base/clock';

/** How far our two clocks may drift apart before one of them must have stalled or been set, ms. */
const driftMs = 2000;

/** What time it is at the service. */
export class ServiceClock {
  private heard: { readonly service: number; readonly now: number; readonly ticks: number } | undefined;

  constructor(private readonly clock: Clock) {}

  /** The service said what time it is, ms since 1970. */
  hear(service: number | undefined): void {
    if (service !== undefined) this.heard = { service, now: this.clock.now(), ticks: this.clock.ticks() };
  }

  /**
   * Undefined before the service has said so once, and when our clocks no longer agree how long ago that was: one of them stalled in sleep
   * or was set, and nobody here can tell which.
   */
  now(): number | undefined {
    if (!this.heard) return undefined;
    const byWall = this.clock.now() - this.heard.now;
    const byTicks = this.clock.ticks() - this.heard.ticks;
    return Math.abs(byWall - byTicks) > driftMs ? undefined : this.heard.service + Math.max(byWall, byTicks);
  }
}
