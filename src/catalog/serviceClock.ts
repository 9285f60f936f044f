import type { Clock } from '../base/clock';

/** What time it is at the service. */
export class ServiceClock {
  private heard: { readonly service: number; readonly now: number; readonly ticks: number } | undefined;

  constructor(private readonly clock: Clock) {}

  /** The service said what time it is, ms since 1970. */
  hear(service: number | undefined): void {
    if (service !== undefined) this.heard = { service, now: this.clock.now(), ticks: this.clock.ticks() };
  }

  /** Undefined before the service has said so once. */
  now(): number | undefined {
    if (!this.heard) return undefined;
    // One of our clocks stalls in sleep, the other can be set back: the longer time is nearer the truth, and the safer.
    const passed = Math.max(this.clock.now() - this.heard.now, this.clock.ticks() - this.heard.ticks);
    return this.heard.service + passed;
  }
}
