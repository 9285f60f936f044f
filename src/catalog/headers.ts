import type { Incoming } from './transport';

type Headers = Incoming['headers'];

/** One header as text; of several, the first. */
export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** The service's clock at the answer (`Date`), ms since 1970. */
export function serviceTimeOf(headers: Headers): number | undefined {
  return readHttpDate(header(headers, 'date'));
}

/**
 * How long the service asks to be left alone, ms: seconds, or a date by the service's own clock, else by `now`. What is
 * neither is no wish at all. A wish for longer than 15 minutes counts as 15: one absurd header must not silence us for
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

/** The coding the body is in although none was asked for; undefined when it is plain. */
export function codingOf(headers: Headers): string | undefined {
  const stated = header(headers, 'content-encoding')?.trim().toLowerCase() ?? '';
  return stated === '' || stated === 'identity' ? undefined : stated;
}

/** True when the service says that its list goes on elsewhere (`Link: <…>; rel="next"`). */
export function linksNext(headers: Headers): boolean {
  return /;\s*rel="?next"?/i.test(header(headers, 'link') ?? '');
}

/** The one form HTTP writes dates in; Date.parse alone also makes dates of other words. */
function readHttpDate(text: string | undefined): number | undefined {
  if (!text || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
