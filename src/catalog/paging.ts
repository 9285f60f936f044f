import { isObject } from '../base/json';
import { header } from './headers';
import { pick, pickText, readNumber, type Shape } from './shape';
import type { Incoming } from './transport';

const around = ['pagination', 'paging', 'page', 'pageInfo', 'page_info', 'meta', 'links', '_links', 'data', 'result'];
const addresses = ['next', 'nextUrl', 'next_url', 'nextPageUrl', 'next_page_url', 'href'];
const numbers = ['next', 'nextPage', 'next_page'];
/** The service's name for the next page's cursor, and the parameter that returns it. */
const cursors: readonly (readonly [names: readonly string[], parameter: string])[] = [
  [['nextCursor', 'next_cursor', 'endCursor', 'end_cursor'], 'cursor'],
  [['nextPageToken'], 'pageToken'],
  [['next_page_token'], 'page_token'],
  [['nextToken'], 'nextToken'],
];

/**
 * The query of an address that requests the next page of the same list; undefined if the list ends, or doesn't say. Of
 * an address that the service states, only the query is used, and only if it's this list at this origin.
 */
export function nextPage(json: unknown, headers: Incoming['headers'], asked: URL): string | undefined {
  const [, linked] = /<([^<>]{1,4096})>\s*;[^<,]{0,200}\brel="?next"?/i.exec(header(headers, 'link') ?? '') ?? [];
  return (linked === undefined ? undefined : queryOf(linked, asked)) ?? nextIn(json, asked, 3);
}

function nextIn(json: unknown, asked: URL, depth: number): string | undefined {
  if (!isObject(json)) return undefined;
  const stated = pick(json, ['next']);
  const address = pickText(json, addresses) ?? (isObject(stated) ? pickText(stated, addresses) : undefined);
  const own = (address === undefined ? undefined : queryOf(address, asked)) ?? cursorIn(json) ?? pageIn(json);
  if (own !== undefined || depth === 0) return own;
  for (const name of around) {
    const inner = nextIn(pick(json, [name]), asked, depth - 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function cursorIn(shape: Shape): string | undefined {
  if (pick(shape, ['hasNextPage', 'has_next_page', 'hasMore', 'has_more']) === false) return undefined;
  for (const [names, parameter] of cursors) {
    const cursor = pickText(shape, names);
    if (cursor !== undefined) return query(parameter, cursor);
  }
  return undefined;
}

function pageIn(shape: Shape): string | undefined {
  const next = numbers.map((name) => pick(shape, [name])).find((value) => typeof value === 'number');
  if (next !== undefined) return query('page', String(next));
  const page = readNumber(pick(shape, ['page', 'currentPage', 'current_page', 'current']));
  const pages = readNumber(pick(shape, ['pages', 'totalPages', 'total_pages', 'lastPage', 'last_page']));
  return page !== undefined && pages !== undefined && page < pages ? query('page', String(page + 1)) : undefined;
}

function query(parameter: string, value: string): string | undefined {
  return value.length <= 2048 ? new URLSearchParams([[parameter, value]]).toString() : undefined;
}

function queryOf(address: string, asked: URL): string | undefined {
  if (!/^([/?]|https?:)/i.test(address) || !URL.canParse(address, asked)) return undefined;
  const next = new URL(address, asked);
  // A path may also be counted from the catalog root.
  const isSame =
    next.pathname === asked.pathname || (address.startsWith('/') && asked.pathname.endsWith(next.pathname));
  const found = next.search.slice(1);
  return next.origin === asked.origin && isSame && found !== '' && found.length <= 4096 ? found : undefined;
}
