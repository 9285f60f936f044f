import { isObject, type JsonObject } from '../base/json';
import { readListing } from './listing';
import {
  isUsableId,
  pick,
  pickObject,
  pickText,
  readCents,
  readJson,
  readNumber,
  unreadable,
  unwrap,
  type Shape,
} from './shape';
import { finalStatuses, type Account, type Generation, type Listing, type Quote } from './types';

// The tolerant reader: the specification leaves many shapes open ("not shown"), so every plausible one is read, and what cannot be
// read fails with ServiceError `unreadable` and with nothing else.

const wrappers = ['data', 'result', 'response', 'payload'];

/** Reads the answer of GET /me. */
export function readAccount(json: unknown): Account {
  const names = ['balanceCents', 'balance_cents', 'balance'];
  if (!isObject(json)) throw unreadable('no object with a balance');
  const shape = unwrap(
    json,
    ['account', 'key', 'user', 'me', ...wrappers],
    (inner) => pick(inner, names) !== undefined,
  );
  const stated = pick(shape, names);
  const cents = isObject(stated) ? pick(stated, ['cents', 'balanceCents', 'amountCents', 'amount', 'value']) : stated;
  // A balance may be overdrawn; anything but whole cents is something else.
  if (!Number.isSafeInteger(cents)) throw unreadable('no balance in whole cents');
  return { balanceCents: cents as number };
}

/** The names a price goes by, the clearest first; in lower case and without `_`. */
const priceNames = [
  ...[
    'costcents',
    'pricecents',
    'totalcents',
    'totalcostcents',
    'totalpricecents',
    'amountcents',
    'chargecents',
    'quotecents',
  ],
  ...['costineurocents', 'priceineurocents', 'costeurocents', 'priceeurocents', 'eurocents', 'cents'],
  ...['price', 'cost', 'total', 'amount'],
];
const notThePrice = /balance|remain|before|after|budget|cap|limit|discount|refund|tax|unit|per|min|max/i;

/** Reads the answer of POST /quote. A price that cannot be found is not stated, never 0. */
export function readQuote(json: unknown): Quote {
  if (typeof json === 'number') return { costCents: readCents(json) };
  if (!isObject(json)) throw unreadable('no object with a price');
  return { costCents: priceIn(json, 3) };
}

function priceIn(shape: Shape, depth: number): number | undefined {
  if (!isInEuroCents(shape)) return undefined;
  const named = new Map(
    Object.entries(shape).map(([name, value]) => [name.toLowerCase().replaceAll(/[_-]/g, ''), value]),
  );
  for (const name of priceNames) {
    const stated = named.get(name);
    if (isObject(stated) && depth > 0) return priceIn(stated, depth - 1);
    // The clearest name decides: were it a text or a fraction, a less clear one would only be a guess.
    if (stated !== undefined && stated !== null) return readCents(stated);
  }
  const inner = depth > 0 ? pickObject(shape, ['quote', 'pricing', ...wrappers]) : undefined;
  if (inner) return priceIn(inner, depth - 1);
  const others = Object.entries(shape).filter(([name]) => /cents$/i.test(name) && !notThePrice.test(name));
  return others.length === 1 ? readCents(others[0]?.[1]) : undefined;
}

/** Amounts are euro cents (specification: What the service does, 6), unless the answer itself says otherwise. */
function isInEuroCents(shape: Shape): boolean {
  const currency = pickText(shape, ['currency', 'currencyCode', 'currency_code']);
  const unit = pickText(shape, ['unit', 'units']);
  return (
    (currency === undefined || /^(eur|€|euro|cents?|eurocents?)$/i.test(currency)) &&
    (unit === undefined || /cent/i.test(unit))
  );
}

/** Reads a generation, bare or wrapped. `statusIfNone` stands in where no status is stated. */
export function readGeneration(json: unknown, statusIfNone = ''): Generation {
  const shape = isObject(json) ? unwrap(json, ['generation', 'render', 'item', ...wrappers], hasId) : {};
  const generation = generationOf(shape, statusIfNone);
  if (!generation) throw unreadable('no generation with an id');
  return generation;
}

/** Reads the answer of GET /generations. */
export function readGenerations(json: unknown): Listing<Generation> {
  return readListing(json, ['generations', 'renders'], (row) =>
    isObject(row) ? generationOf(unwrap(row, ['generation', 'render'], hasId), '') : undefined,
  );
}

const idNames = ['id', 'generationId', 'generation_id'];

function hasId(shape: Shape): boolean {
  return isUsableId(pick(shape, idNames));
}

function generationOf(shape: Shape, statusIfNone: string): Generation | undefined {
  const id = pick(shape, idNames);
  if (!isUsableId(id)) return undefined;
  return {
    id,
    status: readStatus(shape) ?? statusIfNone,
    costCents: readCents(pick(shape, ['costCents', 'cost_cents'])),
    contentUrl: pickText(shape, ['contentUrl', 'content_url', 'contentURL']),
    textOutput: readTextOutput(shape),
    modelId: readModelId(shape),
    inputs: readInputs(shape),
    createdAt: readTime(
      pick(shape, ['createdAt', 'created_at', 'created', 'startedAt', 'started_at', 'submittedAt', 'timestamp']),
    ),
    reason: readReason(shape),
  };
}

/** One of the four known words in whatever case, else the service's own word. */
function readStatus(shape: Shape): string | undefined {
  const stated = pickText(shape, ['status', 'state']);
  const known = stated?.trim().toLowerCase() ?? '';
  return known === 'queued' || finalStatuses.has(known) ? known : stated;
}

/** An empty answer is an answer: it is not taken for a missing one. */
function readTextOutput(shape: Shape): string | undefined {
  const stated = pick(shape, ['textOutput', 'text_output']);
  return typeof stated === 'string' ? stated : undefined;
}

function readModelId(shape: Shape): string | undefined {
  const model = pickObject(shape, ['model']);
  return pickText(shape, ['modelId', 'model_id', 'model']) ?? (model && pickText(model, ['id', 'modelId']));
}

function readInputs(shape: Shape): JsonObject | undefined {
  const inputs = readJson(pickObject(shape, ['inputs', 'input']));
  return inputs as JsonObject | undefined;
}

function readReason(shape: Shape): string | undefined {
  const names = [
    'failureReason',
    'failure_reason',
    'errorMessage',
    'error_message',
    'reason',
    'error',
    'failure',
    'message',
  ];
  const stated = pickObject(shape, ['error', 'failure', 'reason']);
  return pickText(shape, names) ?? (stated && pickText(stated, ['message', 'reason', 'code']));
}

/** A time as text, in seconds or in milliseconds since 1970, to milliseconds. */
function readTime(value: unknown): number | undefined {
  const number = readNumber(value);
  const time = number ?? (typeof value === 'string' ? Date.parse(value) : NaN);
  if (!Number.isFinite(time) || time <= 0) return undefined;
  // Seconds reach this size in the year 5138, milliseconds passed it in 1973.
  const ms = number !== undefined && time < 1e11 ? time * 1000 : time;
  return ms <= 8.64e15 ? Math.round(ms) : undefined;
}
