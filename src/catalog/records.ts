import type { Yielder } from '../base/concurrency';
import { isObject, type JsonObject } from '../base/json';
import { readListing } from './modelSchema';
import { balanceSought, chargeSought, priceSought, readMoney } from './money';
import { sentenceIn } from './problems';
import {
  around,
  isUsableId,
  pick,
  pickObject,
  pickText,
  readCents,
  readJson,
  readNumber,
  type Shape,
  unreadable,
  walk,
  type WalkEntry,
  type WalkPlace,
} from './shape';
import { type Account, type Generation, isFinal, type Listing, type Quote } from './fields';

// The tolerant reader: the specification leaves many shapes open ("not shown"), so every plausible one is read, and
// whatever can't be read fails with ServiceError `unreadable` and nothing else.

/** Reads the response of GET /me. */
export function readAccount(json: unknown): Account {
  const balanceCents = readMoney(json, balanceSought);
  if (balanceCents === undefined) throw unreadable('it has no balance that’s certain to be in euro cents');
  return { balanceCents };
}

/** Reads the response of POST /quote. A price that isn't certain counts as not stated, never as 0. */
export function readQuote(json: unknown): Quote {
  if (typeof json === 'number') return { costCents: readCents(json) };
  if (!isObject(json)) throw unreadable('it isn’t an object with a price');
  return { costCents: readMoney(json, priceSought) };
}

/** Reads a generation, wherever in the response it is. `statusIfNone` is its status if none is stated. */
export function readGeneration(json: unknown, statusIfNone = ''): Generation {
  const generation = isObject(json) ? generationOf(json, statusIfNone) : undefined;
  if (!generation) throw unreadable('it has no generation with an ID');
  return generation;
}

/** Reads the response of GET /generations, or one page of it. Lists may shorten texts, so theirs are excerpts. */
export function readGenerations(json: unknown, turns: Yielder, before = 0): Promise<Listing<Generation>> {
  const read = (row: unknown) => {
    const generation = isObject(row) ? generationOf(row, '') : undefined;
    return generation && { ...generation, textOutput: undefined, excerpt: generation.textOutput };
  };
  return readListing(json, ['generations', 'renders'], read, turns, before);
}

/** The clearest name first, in the form of `Record`'s names. */
const idNames = ['id', 'generationid', 'uuid'];
const knownNames = new Set(['status', 'state', 'costcents', 'contenturl', 'textoutput', 'modelid']);
const named = new Set(['generation', 'render']);

function idOf(value: unknown): string | undefined {
  const id = Number.isInteger(value) ? String(value) : value;
  return isUsableId(id) ? id : undefined;
}

function generationOf(json: Shape, statusIfNone: string): Generation | undefined {
  const record = recordOf(
    json,
    (name, value) => idNames.includes(name) && idOf(value) !== undefined,
    knownNames,
    named,
  );
  const id = idOf(record && pick(record.own, idNames));
  if (!record || id === undefined) return undefined;
  const { own, outside } = record;
  const around = readStatus(outside);
  // With an error beside it, it's the ID of a request, unless a status says that it's a render.
  const stated = readStatus(own);
  const isRender = stated !== undefined && (statusIfNone === '' || isKnown(stated));
  if (!isRender && (statesError(own) || statesError(outside))) return undefined;
  return {
    id,
    // Around a record, "success" is about the request.
    status: stated ?? (around !== undefined && isKnown(around) ? around : statusIfNone),
    costCents: readMoney(json, chargeSought),
    contentUrl: pickText(own, ['contenturl']) ?? pickText(outside, ['contenturl']),
    textOutput: readTextOutput(own) ?? pickText(outside, ['textoutput']),
    modelId: readModelId(own) ?? readModelId(outside),
    inputs: readInputs(own),
    createdAt: readTime(pick(own, ['createdat', 'created', 'startedat', 'submittedat', 'timestamp'])),
    reason: readReason(own),
  };
}

function statesError(shape: Shape): boolean {
  const isStated = (value: unknown) =>
    value === true || (typeof value === 'string' ? value.trim() !== '' : Object.keys(value ?? {}).length > 0);
  const isError = ['error', 'errors'].some((name) => isStated(pick(shape, [name])));
  return isError || pick(shape, ['success', 'ok']) === false;
}

/** One of the four known words in any case, else the service's own word. */
function readStatus(shape: Shape): string | undefined {
  const stated = pickText(shape, ['status', 'state']);
  const known = stated?.trim().toLowerCase() ?? '';
  return isKnown(known) ? known : stated;
}

function isKnown(status: string): boolean {
  return status === 'queued' || isFinal(status);
}

/** Empty text counts as none: services write it next to a file. */
function readTextOutput(shape: Shape): string | undefined {
  const stated = pick(shape, ['textoutput', 'outputtext', 'text']);
  const text = isObject(stated) ? pick(stated, ['text', 'content', 'value']) : stated;
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function readModelId(shape: Shape): string | undefined {
  const model = pickObject(shape, ['model']);
  return pickText(shape, ['modelid', 'model']) ?? (model && pickText(model, ['id', 'modelId']));
}

function readInputs(shape: Shape): JsonObject | undefined {
  const inputs = readJson(pickObject(shape, ['inputs', 'input']));
  return inputs as JsonObject | undefined;
}

function readReason(shape: Shape): string | undefined {
  const names = ['failurereason', 'failuremessage', 'errormessage', 'reason', 'error', 'failure', 'message'];
  const stated = pickObject(shape, ['error', 'failure', 'reason']) ?? {};
  const listed = [stated, shape].map((within) => sentenceIn(pick(within, ['reasons', 'messages', 'errors'])));
  return (
    pickText(shape, names) ??
    pickText(stated, ['message', 'reason']) ??
    listed.find((sentence) => sentence !== undefined) ??
    pickText(stated, ['code'])
  );
}

/** A date and a time of day. */
const zoneless = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/;

/**
 * A time stated as text, or in seconds or milliseconds since 1970, in milliseconds. A text without a zone is in UTC, as
 * services write it, wherever this machine is.
 */
function readTime(value: unknown): number | undefined {
  const number = readNumber(value);
  const time = number ?? (typeof value === 'string' ? Date.parse(value.replace(zoneless, '$1T$2Z')) : NaN);
  if (!Number.isFinite(time) || time <= 0) return undefined;
  // Seconds reach this size in the year 5138; milliseconds reached it in 1973.
  const ms = number !== undefined && time < 1e11 ? time * 1000 : time;
  return ms <= 8.64e15 ? Math.round(ms) : undefined;
}

/** Names of objects that aren't about the record in or around them. */
const others = new Set(
  [
    [
      'inputs',
      'input',
      'parameters',
      'params',
      'prompt',
      'model',
      'user',
      'account',
      'owner',
      'key',
      'apikey',
      'project',
    ],
    ['organization', 'team', 'provider', 'webhook', 'error', 'errors', 'failure', 'reason', 'request', 'links', 'meta'],
    ['relationships', 'included', 'pagination', 'file', 'files', 'asset', 'assets', 'usage', 'context', 'trace'],
  ].flat(),
);

/** An object in a response with everything it states, including in objects inside it. */
export interface Record {
  /**
   * Values by name, in lower case, letters and digits only. Of two, the outer one counts; of two at the same level that
   * differ, neither.
   */
  readonly own: Shape;
  /** As `own`, for what is stated around it. */
  readonly outside: Shape;
}

/**
 * The one record of a response: the object with an ID that contains the most of the `telling` names, `named` before
 * others, outer before inner. Undefined if no object has an ID.
 */
function recordOf(
  json: unknown,
  isId: (name: string, value: unknown) => boolean,
  knownNames: ReadonlySet<string>,
  named: ReadonlySet<string>,
): Record | undefined {
  const entries = walk(json, new Set(), others).entries.filter(({ place }) => !place.among);
  const homes = new Set(entries.filter((entry) => isId(entryNameOf(entry), entry.value)).map(({ place }) => place));
  const byHome = new Map<WalkPlace | undefined, WalkEntry[]>([...homes, undefined].map((home) => [home, []]));
  for (const entry of entries) byHome.get([...around(entry.place)].find((place) => homes.has(place)))?.push(entry);
  const weight = (home: WalkPlace) =>
    new Set((byHome.get(home) ?? []).map(entryNameOf).filter((name) => knownNames.has(name))).size +
    (named.has(home.words.join('')) ? knownNames.size : 0);
  const [best] = [...homes].sort((a, b) => weight(b) - weight(a));
  if (!best) return undefined;
  const inside = new Set(byHome.get(best));
  return { own: flat([...inside]), outside: flat(entries.filter((entry) => !inside.has(entry))) };
}

function entryNameOf({ words }: WalkEntry): string {
  return words.join('');
}

/** The entries come from the outside in. */
function flat(entries: readonly WalkEntry[]): Shape {
  const byName = new Map<string, { readonly depth: number; readonly value: unknown }>();
  for (const entry of entries) {
    const { value, place } = entry;
    if (value === null || value === undefined || value === '') continue;
    const depth = [...around(place)].length;
    const before = byName.get(entryNameOf(entry));
    if (!before) byName.set(entryNameOf(entry), { depth, value });
    else if (before.depth === depth && before.value !== value)
      byName.set(entryNameOf(entry), { depth, value: undefined });
  }
  return Object.fromEntries([...byName].map(([name, { value }]) => [name, value]));
}
