import { isObject } from '../base/json';
import type { Turns } from '../base/turns';
import { pick, pickObject, readNumber, unreadable, type Shape } from './shape';
import type { Listing } from './types';

const usualNames = ['data', 'items', 'results', 'records', 'list', 'entries', 'rows', 'content', 'edges'];
const wrappers = ['data', 'result', 'results', 'response', 'payload', '_embedded'];
const nextNames = [
  'next',
  'next_page',
  'nextPage',
  'nextCursor',
  'next_cursor',
  'nextPageToken',
  'next_page_token',
  'nextToken',
];
const moreNames = ['has_more', 'hasMore', 'has_next', 'hasNext', 'hasNextPage', 'has_next_page', 'more', 'truncated'];
const totalNames = ['total', 'totalCount', 'total_count', 'totalItems', 'total_items', 'count'];
const pagingNames = ['pagination', 'paging', 'page', 'pageInfo', 'page_info', 'meta', 'links', '_links'];

/** The most rows of a page: what is made of them goes through all at once. */
const mostRows = 100_000;

/**
 * Reads a list in any of the usual shapes: bare, or under one key, `names` first; also a map from ID to object. Rows
 * that `read` can't read are counted, and rows with a repeated ID are left out. `before`: rows on earlier pages. Yields
 * to other work now and then. Rejects with ServiceError `unreadable` without a list.
 */
export async function readListing<T extends { readonly id: string }>(
  json: unknown,
  names: readonly string[],
  read: (row: unknown) => T | undefined,
  turns: Turns,
  before = 0,
): Promise<Listing<T>> {
  const { rows, ids, around } = findRows(json, names);
  const items = new Map<string, T>();
  let unread = 0;
  for (const [index, row] of rows.slice(0, mostRows).entries()) {
    if (turns.isOver) await turns.next();
    const item = read(ids ? { id: ids[index], ...(row as object) } : row);
    if (!item) unread += 1;
    else if (!items.has(item.id)) items.set(item.id, item);
  }
  return {
    items: [...items.values()],
    incomplete: rows.length > mostRows || around.some((shape) => saysMore(shape, before + rows.length)),
    unreadable: unread,
  };
}

interface Rows {
  readonly rows: readonly unknown[];
  /** The rows' IDs, if they're the names of a map. */
  readonly ids?: readonly string[];
}

interface FoundRows extends Rows {
  /** The objects around the list, which may say something about further pages. */
  readonly around: readonly Shape[];
}

function findRows(json: unknown, names: readonly string[]): FoundRows {
  const around: Shape[] = [];
  let inner = json;
  for (let depth = 0; depth < 3; depth++) {
    if (Array.isArray(inner)) return { rows: inner as unknown[], around };
    if (!isObject(inner)) break;
    around.push(inner);
    const rows = rowsIn(inner, names);
    if (rows) return { ...rows, around };
    inner = pick(inner, [...wrappers, ...names]);
  }
  throw unreadable('it has no list');
}

function rowsIn(shape: Shape, names: readonly string[]): Rows | undefined {
  for (const name of [...names, ...usualNames]) {
    const value = pick(shape, [name]);
    if (Array.isArray(value)) return { rows: value as unknown[] };
    if (names.includes(name) && isObject(value)) return rowsOfMap(value);
  }
  const [rows, ...more] = Object.values(shape).filter(Array.isArray);
  return rows && more.length === 0 ? { rows: rows as unknown[] } : undefined;
}

function rowsOfMap(map: Shape): Rows | undefined {
  const rows = Object.values(map);
  // A list for each group.
  if (rows.length > 0 && !Object.hasOwn(map, 'edges') && rows.every(Array.isArray)) return { rows: rows.flat() };
  return rows.every(isObject) ? { rows, ids: Object.keys(map) } : undefined;
}

function saysMore(shape: Shape, rows: number): boolean {
  if (pick(shape, moreNames) === true) return true;
  const next = pick(shape, nextNames);
  if ((typeof next === 'string' && next !== '') || typeof next === 'number' || isObject(next)) return true;
  const total = readNumber(pick(shape, totalNames));
  if (total !== undefined && total > rows) return true;
  const paging = pickObject(shape, pagingNames);
  if (!paging) return false;
  const [page, pages] = [
    readNumber(pick(paging, ['page', 'current'])),
    readNumber(pick(paging, ['pages', 'totalPages', 'total_pages'])),
  ];
  return (page !== undefined && pages !== undefined && page < pages) || saysMore(paging, rows);
}
