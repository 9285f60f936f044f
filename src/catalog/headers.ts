import type { Incoming } from './transport';

type Headers = Incoming['headers'];

/** One header as text; of several, the first. */
export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** The service's clock at the answer (`Date`), ms since 1970; undefined if a cache kept the answer. */
export function serviceTimeOf(headers: Headers): number | undefined {
  return isKept(headers) ? undefined : readHttpDate(header(headers, 'date'));
}

/** True if a cache on the way kept the answer (`Age`). */
export function isKept(headers: Headers): boolean {
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
