import { type Clock, type Moment, momentOf } from '../base/clock';
import type { Incoming } from './transport';

type Headers = Incoming['headers'];

/** One header as text; of several, the first. */
export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** The service's clock at the answer (`Date`), ms since 1970; undefined if a cache kept the answer. */
export function serviceTimeOf(headers: Headers): number | undefined {
  return isCached(headers) ? undefined : readHttpDate(header(headers, 'date'));
}

/** True if a cache on the way kept the answer (`Age`). */
export function isCached(headers: Headers): boolean {
  return !/^0+$/.test(header(headers, 'age')?.trim() ?? '0');
}

/**
 * How long the service asks for no requests, ms: stated in seconds, or as a date by the service's own clock, else by
 * `now`. Anything else is ignored. More than 15 minutes counts as 15, so that one absurd header can't silence us for
 * good.
 */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const stated = header(headers, 'retry-after')?.trim() ?? '';
  if (/^\d+$/.test(stated)) return Math.min(longestWishMs, Number(stated) * 1000);
  const date = readHttpDate(stated);
  if (date === undefined) return undefined;
  return Math.min(longestWishMs, Math.max(0, date - (serviceTimeOf(headers) ?? now)));
}

const longestWishMs = 15 * 60_000;

/** Content-Length, bytes. */
export function lengthOf(headers: Headers): number | undefined {
  const stated = header(headers, 'content-length') ?? '';
  return /^\d{1,15}$/.test(stated) ? Number(stated) : undefined;
}

/** The length of a file, bytes, if a part of it (206) is all of it: `Content-Range: bytes 0-99/100`. */
export function wholeRangeOf(headers: Headers): number | undefined {
  const [, from, to, all] =
    /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i.exec(header(headers, 'content-range') ?? '') ?? [];
  return Number(from) === 0 && Number(to) + 1 === Number(all) ? Number(all) : undefined;
}

/** The host that a redirect (3xx) leads to; undefined if it isn't one, or leads nowhere. */
export function redirectOf({ status, headers }: Incoming, from: URL): string | undefined {
  const location = header(headers, 'location');
  if (status < 300 || status > 399 || location === undefined || !URL.canParse(location, from)) return undefined;
  return new URL(location, from).host || undefined;
}

/** The encoding of the body, although none was requested; undefined if there is none. */
export function codingOf(headers: Headers): string | undefined {
  const stated = header(headers, 'content-encoding')?.trim().toLowerCase() ?? '';
  return stated === '' || stated === 'identity' ? undefined : stated;
}

/** True if the service says that its list continues elsewhere (`Link: <…>; rel="next"`). */
export function linksNext(headers: Headers): boolean {
  return /;\s*rel="?next"?/i.test(header(headers, 'link') ?? '');
}

/** The one date format of HTTP; Date.parse alone also accepts other words. */
function readHttpDate(text: string | undefined): number | undefined {
  if (!text || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

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
  fromNowOn(): () => number | undefined {
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
