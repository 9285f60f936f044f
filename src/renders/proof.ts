import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock';
import { isGivenImage, partsOfDataAddress } from '../base/givenImage';
import { isObject, type Json, type JsonObject } from '../base/json';
import { ServiceError } from '../catalog/errors';
import type { Field, Generation } from '../catalog/fields';
import { isSameImage } from '../files/recordedImages';
import type { Ledger } from './ledger';
import { cutShort } from './ledgerRow';
import {
  statedCents,
  type Connected,
  isThere,
  mayRead,
  type Problem,
  type RenderClient,
  type RenderRecord,
} from './record';

// What proves what. Proof needs something to compare: an ID alone, a contradiction, or a
// mention in a text proves nothing.
//
// | The service says                                                 | What that proves                       |
// | ---------------------------------------------------------------- | -------------------------------------- |
// | to the request: 2xx with an ID, and nothing else than the record | accepted                               |
// | 2xx with another model or other inputs                           | nothing: the ID is kept and reported   |
// | 400, 401, 402, or 409 with API_KEY_DAILY_CAP as its code         | this attempt charged nothing           |
// | the same, and that a render exists or was charged                | nothing                                |
// | 429                                                              | this attempt was turned away unread    |
// | another 4xx of its own                                           | nothing, and repeating won't help      |
// | any other response, or none                                      | nothing                                |
// | to the key that ordered it: its ID, and nothing else than that   | the state of this render               |
// | to another key: its ID, inputs, and charge                       | the same, and that this key reads it   |
// | at another URL: its ID, inputs, and charge                       | both URLs are of one service           |
// | at another URL, to the key that ordered it: its ID               | nothing: the user is asked             |
// | in a list: model, inputs, time, price, only default options      | this render: adopted, and marked       |
// | in a list: model, inputs, and time                               | nothing: the user is asked             |

/** How a generation as stated compares with a record: nothing stated is no contradiction, and no proof. */
export type Likeness = 'same' | 'silent' | 'other';

/** What a failed attempt proves about the money; see the table. */
export type Verdict =
  /** This attempt charged nothing. */
  | 'refused'
  /** The service turned it away unread and asks to slow down. */
  | 'wait'
  /** It may have been charged; only the same bytes with the same key may follow. */
  | 'unproven'
  /** As `unproven`, and the same bytes would get the same response. */
  | 'declined';

/** An answer to a request with the ID of a render, but of another one. */
export class Contradiction extends Error {
  constructor(readonly generationId: string) {
    super(`The response is about another model or other inputs: ${generationId}`);
  }
}

/** The verdict on a single failed attempt; after an earlier attempt without a response, a rejection proves nothing. */
export function verdictOf(error: unknown): Verdict {
  if (!(error instanceof ServiceError)) return 'unproven';
  switch (error.kind) {
    case 'invalidInput':
    case 'keyRefused':
    case 'balanceTooLow':
    case 'dailyCap':
      return error.contradicted ? 'unproven' : 'refused';
    case 'tooManyRequests':
      return 'wait';
    case 'status':
      return isDeclined(error) ? 'declined' : 'unproven';
    default:
      return 'unproven';
  }
}

/**
 * Statuses of the 400s that mean "not now": the request was cut off, one with the same key is still running, or it came
 * too early.
 */
const passing: ReadonlySet<number> = new Set([408, 409, 425]);

/** True for a rejection by the service itself that its specification doesn't know. A web page comes from a proxy. */
function isDeclined({ status = 0, html }: ServiceError): boolean {
  return status >= 400 && status <= 499 && !passing.has(status) && !html;
}

/** The problem that a failed call leaves on a record. */
export function renderProblemOf(error: unknown): Problem {
  if (error instanceof Contradiction) return { code: 'contradicted', detail: error.generationId };
  if (!(error instanceof ServiceError))
    return { code: 'noAnswer', detail: error instanceof Error ? error.message : String(error) };
  if (error.contradicted) return { code: 'serviceSays', detail: responseOf(error) };
  const detail = error.serviceMessage ?? error.message;
  switch (error.kind) {
    case 'invalidInput':
      return { code: 'invalidInput', detail, fields: error.fields };
    case 'keyRefused':
    case 'balanceTooLow':
    case 'dailyCap':
    case 'tooManyRequests':
    case 'noAnswer':
    case 'unreadable':
      return { code: error.kind, detail };
    default:
      return { code: 'serviceSays', detail: responseOf(error) };
  }
}

/** A response that the specification doesn't know, verbatim: its status, code, and message. */
function responseOf({ status, code, serviceMessage, message }: ServiceError): string {
  const stated = [status, code, serviceMessage].filter((part) => part !== undefined);
  return stated.length > 0 ? stated.join(' ') : message;
}

/**
 * Compares what a generation states of its model and inputs with the record. It may state less, and more: a service
 * leaves inputs out, shortens them, gives images by URL, and adds the defaults of what was omitted.
 */
export function compared(record: RenderRecord, { modelId, inputs }: Generation): Likeness {
  if (modelId !== undefined && isOtherModel(record.modelId, modelId)) return 'other';
  // A record holds only the beginnings of large inputs.
  const stated = inputs && (record.isApart ? cutShort(inputs) : inputs);
  return together(Object.keys(record.inputs).map((name) => comparedInput(record.inputs[name], stated?.[name])));
}

/**
 * True when a response to the key in use is about this record. Once another response with its ID was about something
 * else, one that states nothing to compare no longer is.
 */
export function tellsOf(record: RenderRecord, generation: Generation, connected: Connected): boolean {
  if (!isThere(record, connected) || generation.id !== record.generationId) return false;
  if (!mayRead(record, connected)) return isCertainly(record, generation);
  const comparison = compared(record, generation);
  return record.problem?.code === 'contradicted' ? comparison === 'same' : comparison !== 'other';
}

/** True when another key, or another URL, shows the very render that a record has the ID of. */
export function isCertainly(record: RenderRecord, generation: Generation): boolean {
  const stated = statedCents(record);
  const { costCents = stated, createdAt } = generation;
  if (generation.id !== record.generationId || compared(record, generation) !== 'same') return false;
  const isCharge = stated === undefined || costCents === stated;
  return isCharge && (createdAt === undefined || !isRuledOut(record, generation));
}

/**
 * What a generation at the URL in use shows of the service there, for a record that was ordered at another one:
 * `certain` that it's the same service, or `possible`, which is for the user to say.
 */
export function recognized(
  record: RenderRecord,
  generation: Generation,
  { client }: Connected,
): 'certain' | 'possible' | undefined {
  if (isCertainly(record, generation)) return 'certain';
  const isTheirs = generation.id === record.generationId && record.account === client.account;
  const isRuledOutByTime = generation.createdAt !== undefined && isRuledOut(record, generation);
  return isTheirs && !isRuledOutByTime && compared(record, generation) !== 'other' ? 'possible' : undefined;
}

/**
 * The listed generations that can be this record's: same model, same inputs, created while its attempts ran. Anything
 * the list doesn't state can't match.
 */
export function matchesOf(record: RenderRecord, listed: readonly Generation[]): Generation[] {
  return listed.filter((generation) => isSameRender(record, generation) && isCreatedFor(record, generation));
}

/** The listed generations that can't be ruled out as this record's. */
export function possibleMatchesOf(record: RenderRecord, listed: readonly Generation[]): Generation[] {
  return listed.filter((generation) => isSameRender(record, generation) && !isRuledOut(record, generation));
}

/**
 * The listed generations that a record may have become in a window whose ledger this isn't: created since `from`. What
 * a list leaves out or shortens, such as a large input, rules none out.
 */
export function laterMatchesOf(record: RenderRecord, listed: readonly Generation[], from: number): Generation[] {
  const isLike = (one: Generation) => one.modelId === record.modelId && compared(record, one) === 'same';
  return listed.filter((one) => isLike(one) && (one.createdAt ?? Infinity) >= from - slackMs);
}

/** True for a generation that another record of the same service has, or may have. */
export function isTaken(ledger: Ledger, generation: Generation, { key, place }: RenderRecord): boolean {
  const isAnothers = (record: RenderRecord) => record.key !== key && ledger.isOneService(record.place, place) === true;
  const mayHave = (record: RenderRecord) =>
    record.otherIds?.includes(generation.id) === true && compared(record, generation) !== 'other';
  return ledger.ofGeneration(generation.id).some(isAnothers) || ledger.ofSeveral().filter(isAnothers).some(mayHave);
}

/** True if a match has the record's price, and no option beyond the sent ones but the model's defaults, in `fields`. */
export function isAdoptable(
  { inputs: sent, shownCents }: RenderRecord,
  match: Generation,
  fields: readonly Field[] | undefined,
): boolean {
  const isSamePrice = shownCents !== undefined && match.costCents === shownCents;
  return isSamePrice && extrasOf(sent, match).every(([name, value]) => isDefault(name, value, fields));
}

/** The options of a generation that weren't sent. */
export function extrasOf(sent: JsonObject, { inputs = {} }: Generation): [string, Json][] {
  return Object.entries(inputs).filter(([name, value]) => !Object.hasOwn(sent, name) && value !== null && value !== '');
}

function isDefault(name: string, value: Json, fields: readonly Field[] = []): boolean {
  const usual = fields.find((field) => field.name === name)?.default;
  return usual !== undefined && comparedInput(usual, value) === 'same';
}

/** Tolerated difference between the service's clock and ours, ms. */
const slackMs = 60_000;

/** Created while the record's attempts ran. */
function isCreatedFor(record: RenderRecord, { createdAt }: Generation): boolean {
  const from = record.firstSentServiceTime ?? record.firstSentAt ?? record.plannedAt;
  return createdAt !== undefined && createdAt >= from - slackMs && createdAt <= from + repeatWindowMs + slackMs;
}

/** Not created while the record's attempts ran. Only the service's own clock shows that: the machine's may be wrong. */
function isRuledOut(record: RenderRecord, generation: Generation): boolean {
  return record.firstSentServiceTime !== undefined && !isCreatedFor(record, generation);
}

function isSameRender(record: RenderRecord, { modelId, inputs }: Generation): boolean {
  return modelId === record.modelId && inputs !== undefined && sameInputs(record.inputs, inputs);
}

/** The service may add defaults of omitted fields: every input that was sent must be there with its value. */
export function sameInputs(sent: JsonObject, listed: JsonObject): boolean {
  return Object.keys(sent).every((name) => isSameInput(sent[name], listed[name]));
}

function isSameInput(sent: Json | undefined, listed: Json | undefined): boolean {
  return isDeepStrictEqual(sent, listed) || isSameImage(sent, listed);
}

/** A name that isn't of the specification's form may be a title. */
function isOtherModel(ours: string, stated: string): boolean {
  const name = stated.trim().toLowerCase();
  return name !== ours.toLowerCase() && /^[^/\s]+\/[^/\s]+\/\S+$/.test(name);
}

function comparedInput(sent: Json | undefined, stated: Json | undefined): Likeness {
  if (isEmpty(sent) || isEmpty(stated)) return 'silent';
  if (isSameInput(sent, stated)) return 'same';
  // An image may be stated by an address of the service's own.
  if (isImage(sent) || isImage(stated)) return isImage(sent) && isImage(stated) ? 'other' : 'silent';
  if (Array.isArray(sent) && Array.isArray(stated))
    return sent.length === stated.length
      ? together(sent.map((one, n) => comparedInput(one as Json, stated[n] as Json)))
      : 'other';
  if (isObject(sent) && isObject(stated))
    return together(Object.keys(sent).map((name) => comparedInput(sent[name] as Json, stated[name] as Json)));
  if (typeof sent === 'object' || typeof stated === 'object') return 'silent';
  return comparedText(String(sent), String(stated));
}

function comparedText(sent: string, stated: string): Likeness {
  const [ours, theirs] = [plainly(sent), plainly(stated)];
  if (ours === theirs) return 'same';
  // Any number below zero leaves the choice to the service.
  if (/^-\d+$/.test(ours)) return 'silent';
  const beginning = theirs.replace(/(?:…|\.{3})$/, '');
  const isShortened = beginning !== theirs || beginning.length >= leastShortened;
  return isShortened && ours.startsWith(beginning) ? 'silent' : 'other';
}

/** Nothing shortens a text to fewer characters without saying so. */
const leastShortened = 100;

function plainly(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

function isEmpty(value: Json | undefined): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

function isImage(value: Json | undefined): boolean {
  return isGivenImage(value) || (typeof value === 'string' && partsOfDataAddress(value) !== undefined);
}

function together(all: readonly Likeness[]): Likeness {
  if (all.includes('other')) return 'other';
  return all.includes('same') ? 'same' : 'silent';
}

/**
 * How long a key is trusted to be remembered: the service doesn't say, so automatic repeats end here, ms.
 */
export const repeatWindowMs = 10 * 60_000;

/** The most attempts per decision. */
const mostTries = 6;

/**
 * The age of a record's first attempt, ms: by the service's clock where both times are known, and by the machine's
 * where neither is. Infinite when it's unknowable: a clock was set back, or the service states its time only now, and
 * the machine may have been paused since.
 */
export function renderAgeOf(record: RenderRecord, client: RenderClient | undefined, clock: Clock): number {
  if (record.firstSentAt === undefined) return 0;
  const serviceTime = client?.serviceTime();
  if (record.firstSentServiceTime === undefined && serviceTime !== undefined) return Infinity;
  const age =
    record.firstSentServiceTime !== undefined && serviceTime !== undefined
      ? serviceTime - record.firstSentServiceTime
      : clock.now() - record.firstSentAt;
  // The Date header counts whole seconds.
  return age < -2000 ? Infinity : age;
}

/** True while the same bytes may be sent again automatically. */
export function mayRepeat(record: RenderRecord, client: RenderClient | undefined, clock: Clock): boolean {
  return renderAgeOf(record, client, clock) < repeatWindowMs;
}

/** True when all allowed attempts were made. */
export function isTriedOut({ attempt, tries = attempt }: RenderRecord): boolean {
  return tries >= mostTries;
}

/** The pause before a sent record is repeated, ms: few repeats have to cover most of the ten minutes. Randomized. */
export function pauseBeforeRepeat({ attempt, tries = attempt }: RenderRecord, unit: number): number {
  return 1000 * 4 ** (tries - 1) * (0.75 + unit / 2);
}

/** The pause before the attempt that follows `attempt`, ms: doubles from one second to the longest. Randomized. */
export function pauseAfter(attempt: number, unit: number, longestMs = 30_000): number {
  return Math.min(longestMs, 1000 * 2 ** (attempt - 1)) * (0.75 + unit / 2);
}
