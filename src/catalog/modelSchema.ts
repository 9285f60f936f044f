import type { Yielder } from '../base/concurrency';
import { isObject } from '../base/json';
import { readFields } from './fieldSchema';
import { isUsableId, pick, pickObject, pickText, readNumber, type Shape, unreadable } from './shape';
import type { Listing, Model, ModelKind, ModelSummary } from './fields';

/** Reads the response of GET /models, or one page of it. A model may also be just its ID. */
export function readModels(json: unknown, turns: Yielder, before = 0): Promise<Listing<ModelSummary>> {
  return readListing(json, ['models', 'catalog'], readRow, turns, before);
}

function readRow(row: unknown): ModelSummary | undefined {
  if (typeof row === 'string') return isUsableId(row) ? summaryOf(row, {}) : undefined;
  if (!isObject(row)) return undefined;
  const inner = pickObject(row, ['model', 'node', 'attributes']);
  const shape = inner ? { ...row, ...inner } : row;
  const id = idOf(shape);
  return id === undefined ? undefined : summaryOf(id, shape);
}

/** The model as far as its identifier describes it. */
export function modelNamed(id: string): ModelSummary {
  return summaryOf(id, {});
}

/** Reads the response of GET /models/detail for the requested model, whose ID it needn't repeat. */
export function readModel(json: unknown, id: string): Model {
  if (!isObject(json)) throw unreadable('it isn’t a model');
  // Fields may be next to the model they belong to.
  let shape: Shape = withReferences(json);
  for (const name of ['data', 'result', 'item', 'model', 'attributes'])
    shape = { ...shape, ...pickObject(shape, [name]) };
  const stated = idOf(shape);
  if (stated !== undefined && stated !== id && pickText(shape, ['id', 'modelId', 'model_id']) === stated) {
    throw unreadable('it’s another model than the requested one');
  }
  const fields = readFields(shape);
  if (!fields) throw unreadable('the model has no input fields');
  return { ...summaryOf(id, shape), fields };
}

function idOf(shape: Shape): string | undefined {
  const names = ['id', 'modelId', 'model_id', 'identifier', 'model', 'slug', 'key', 'name'];
  // Three segments make an identifier (specification: Model). A UUID next to it is the service's own.
  const whole = names.map((name) => pick(shape, [name])).find((value) => isUsableId(value) && isWhole(value));
  const stated = whole ?? pick(shape, names.slice(0, -2));
  if (isUsableId(stated)) return stated;
  const segments = [
    pickText(shape, ['provider', 'vendor', 'owner']),
    pickText(shape, ['family']),
    pickText(shape, ['model_name', 'modelName', 'name']),
  ];
  const composed = segments.every((segment) => segment !== undefined)
    ? segments.join('/')
    : pickText(shape, ['name', 'key']);
  return composed?.includes('/') && isUsableId(composed) ? composed : undefined;
}

function isWhole(id: string): boolean {
  return /^[^/\s]+\/[^/\s]+\/[^/\s]+$/.test(id);
}

/**
 * Provider, family, and name come from the segments of the ID; one with another number of segments is shown as well.
 */
function summaryOf(id: string, shape: Shape): ModelSummary {
  const [provider = '', ...rest] = id.split('/');
  const name = rest.pop();
  const own = pickText(shape, ['name']);
  return {
    id,
    provider: name === undefined ? '' : provider,
    family: rest.join('/'),
    name: name ?? id,
    title:
      pickText(shape, ['title', 'displayName', 'display_name', 'label']) ??
      (own !== id ? own : undefined) ??
      name ??
      id,
    description: pickText(shape, ['description', 'summary', 'tagline', 'about']),
    kind: kindOf(shape),
    ...(pick(shape, ['testing', 'forTesting', 'for_testing']) === true && { isForTesting: true }),
  };
}

/** Places where a service may say what a model makes, the most reliable first. */
const kindNames = [
  ...[
    'output',
    'outputs',
    'outputType',
    'output_type',
    'outputKind',
    'output_kind',
    'outputModality',
    'output_modalities',
  ],
  ...[
    'outputModalities',
    'produces',
    'task',
    'kind',
    'type',
    'category',
    'categories',
    'modality',
    'modalities',
    'media',
    'mediaType',
  ],
  ...['media_type', 'capability', 'capabilities', 'tags'],
];

function kindOf(shape: Shape): ModelKind | undefined {
  for (const name of kindNames) {
    const kind = kindIn(pick(shape, [name]), 2);
    if (kind) return kind;
  }
  return undefined;
}

function kindIn(value: unknown, depth: number): ModelKind | undefined {
  if (typeof value === 'string') return kindWord(value);
  if (depth === 0) return undefined;
  if (isObject(value)) return kindIn(pick(value, kindNames), depth - 1);
  if (!Array.isArray(value)) return undefined;
  const kinds = new Set(value.flatMap((inner: unknown) => kindIn(inner, depth - 1) ?? []));
  return kinds.has('image') ? 'image' : [...kinds][0];
}

/** "text-to-image" makes what comes after the "to". */
function kindWord(word: string): ModelKind | undefined {
  if (/caption/i.test(word)) return 'text';
  if (/^(t2i|i2i|(txt|img|text|image)2img)$/i.test(word)) return 'image';
  const made = word.toLowerCase().replace(/^.*?(?:\bto\b|(?<=[a-z])2(?=[a-z])|->|→|_to_)/, '');
  if (/video|audio|speech|voice|music|sound|3d|mesh|embedding/.test(made)) return 'other';
  if (/image|picture|photo|illustration|drawing|\bart\b/.test(made)) return 'image';
  if (/text|language|\bllm\b|chat|completion|writing/.test(made)) return 'text';
  return undefined;
}

/** Limits of values and depth: a schema may refer to itself, in more ways each time. */
const most = 20_000;
const deepest = 24;

/**
 * Resolves the references of a JSON Schema (`{"$ref": "#/$defs/Size"}`), in which several fields may share a
 * definition. `#` is any object around it, the nearest first. A reference that leads nowhere, or elsewhere, stays as it
 * is.
 */
function withReferences(response: Shape): Shape {
  return refers(response, { left: most }, 0) ? (resolved(response, [], { left: most }, 0) as Shape) : response;
}

/** True if there is anything to resolve. */
function refers(value: unknown, budget: { left: number }, depth: number): boolean {
  budget.left -= 1;
  if (budget.left < 0 || depth > deepest || typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '$ref') || Object.values(value).some((inner) => refers(inner, budget, depth + 1));
}

function resolved(value: unknown, around: readonly Shape[], budget: { left: number }, depth: number): unknown {
  budget.left -= 1;
  if (budget.left < 0 || depth > deepest) return value;
  if (Array.isArray(value)) return value.map((entry: unknown) => resolved(entry, around, budget, depth + 1));
  if (!isObject(value)) return value;
  const roots = [value, ...around];
  const { $ref: reference, ...own } = value;
  const meant = typeof reference === 'string' ? meantBy(reference, roots) : undefined;
  const whole = meant ? { ...meant, ...own } : value;
  return Object.fromEntries(
    Object.entries(whole).map(([name, inner]) => [name, resolved(inner, roots, budget, depth + 1)]),
  );
}

/** The object below the nearest root that has it; `/` and `~` are written as JSON Pointers do. */
function meantBy(reference: string, roots: readonly Shape[]): Shape | undefined {
  if (!reference.startsWith('#/')) return undefined;
  const names = reference
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  for (const root of roots) {
    const found = names.reduce<unknown>(
      (inner, name) => (isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
      root,
    );
    if (isObject(found)) return found;
  }
  return undefined;
}

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
  turns: Yielder,
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
