import type { Clock } from '../base/clock';

/** A token bucket for each caller: initially full, refilled evenly, one token per request. */
export class RequestRate {
  private readonly buckets = new Map<string, { tokens: number; at: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly perMinute: number,
  ) {}

  /** Takes a token; if there is none, returns in how many whole seconds there is (429, Retry-After). */
  take(caller: string): { retryAfterSeconds: number } | undefined {
    const now = this.clock.ticks();
    const bucket = this.buckets.get(caller) ?? { tokens: this.perMinute, at: now };
    const tokens = Math.min(this.perMinute, bucket.tokens + ((now - bucket.at) / 60_000) * this.perMinute);
    const taken = tokens >= 1;
    this.buckets.set(caller, { tokens: taken ? tokens - 1 : tokens, at: now });
    return taken ? undefined : { retryAfterSeconds: Math.max(1, Math.ceil(((1 - tokens) / this.perMinute) * 60)) };
  }
}
