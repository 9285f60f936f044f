import { isObject } from '../base/json';
import { redact } from '../base/log';
import { type FieldProblem, ServiceError, type ServiceErrorFacts, type ServiceErrorKind } from './errors';
import { header } from './headers';
import { parseJson } from './body';
import {
  around,
  isUsableId,
  pick,
  pickObject,
  pickText,
  type Shape,
  walk,
  type WalkEntry,
  type WalkPlace,
  wordsOfName,
} from './shape';
import type { Incoming } from './transport';

/**
 * The error that a response other than 2xx means (specification: Errors). `text` is the part of its body that arrived.
 * The message, which goes to the log, contains nothing of the body, which may quote what a user typed.
 */
export function refusalOf(incoming: Incoming, text: string, facts: ServiceErrorFacts): ServiceError {
  const { status } = incoming;
  const html = isHtml(incoming, text);
  const body = html ? undefined : parsed(text);
  const { code, message, fields } = readProblem(body);
  // A proxy that turns requests away asks for the same patience.
  const kind = html && status !== 429 ? 'status' : kindOf(status, body ?? text);
  return new ServiceError(kind, `Status ${status}${html ? ' with a web page' : codeWord(code)}`, {
    ...facts,
    status,
    code,
    serviceMessage: message,
    fields,
    html,
    contradicted: isContradicted(body ?? text),
  });
}

/**
 * The JSON of a 2xx. Throws ServiceError `unreadable` that says what it is instead, and `tooLarge` if it has more
 * values than `most`.
 */
export function parseResponse(incoming: Incoming, text: string, most: number): unknown {
  try {
    return parseJson(text, most);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const html = isHtml(incoming, text);
    const what = html ? 'a web page' : text === '' ? 'nothing' : `${text.length} characters`;
    throw new ServiceError('unreadable', `Expected JSON, but got ${what}`, { status: incoming.status, html });
  }
}

/** For a response whose body doesn't matter. Throws ServiceError `unreadable` for a web page. */
export function refuseWebPage(incoming: Incoming, text: string): void {
  const { status } = incoming;
  // Some servers declare an empty body as a web page.
  if (text.trim() !== '' && isHtml(incoming, text))
    throw new ServiceError('unreadable', 'The response is a web page', { status, html: true });
}

/**
 * A web page is never from the service: it's from a proxy, the login page of a network, or another server. `text`: the
 * part of its body that arrived.
 */
export function isHtml({ headers }: Incoming, text: string): boolean {
  return (
    /^\s*(text\/html|application\/xhtml)/i.test(header(headers, 'content-type') ?? '') ||
    /^\s*<(!doctype|html)\b/i.test(text)
  );
}

/** A code of the service, as opposed to text. */
function codeWord(code: string | undefined): string {
  return code !== undefined && /^(?:[A-Z][A-Z_]{2,63}|[a-z]{1,20}(?:_[a-z]{1,20}){1,5})$/.test(code) ? `, ${code}` : '';
}

function kindOf(status: number, body: unknown): ServiceErrorKind {
  switch (status) {
    case 400:
      return 'invalidInput';
    case 401:
      return 'keyRefused';
    case 402:
      return 'balanceTooLow';
    case 409:
      return statesCode(body, 'API_KEY_DAILY_CAP') ? 'dailyCap' : 'status';
    case 429:
      return 'tooManyRequests';
    default:
      return 'status';
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Errors that aren't JSON are known by their status alone.
    return undefined;
  }
}

/** The contents of an error's body (specification: Errors). */
export interface StatedProblem {
  readonly code?: string;
  readonly message?: string;
  readonly fields: readonly FieldProblem[];
}

const detailNames = [
  ...['details', 'detail', 'errors', 'issues', 'fields', 'violations', 'fieldViolations', 'field_violations'],
  ...['field_errors', 'fieldErrors', 'invalid_params', 'invalidParams', 'invalid-params'],
];
const messageNames = ['message', 'issue', 'msg', 'reason', 'error', 'description', 'detail', 'title'];
/** Names that only say which field it is. */
const certainFieldNames = ['field', 'param', 'parameter', 'property', 'pointer', 'instancePath', 'instance_path'];
const fieldNames = [...certainFieldNames, 'path', 'name', 'loc', 'input'];
const longest = 2000;
const mostFields = 200;

/** Reads the body of an error in any shape; unreadable parts are left out. Never throws. */
export function readProblem(json: unknown): StatedProblem {
  if (Array.isArray(json)) return readProblem({ errors: json as unknown[] });
  if (!isObject(json)) return { fields: [], message: typeof json === 'string' ? cut(json) : undefined };
  const wrapped = pick(json, ['error']);
  const shape = isObject(wrapped) ? { ...json, ...wrapped } : json;
  const sentences = pick(shape, ['message', 'messages']);
  const words = Array.isArray(sentences) ? sentenceIn(sentences) : undefined;
  const message = words ?? pickText(shape, [...messageNames, 'details']);
  const fields = readShape(shape, message, sentences).slice(0, mostFields);
  return {
    code: cut(pickText(shape, ['code', 'errorCode', 'error_code'])),
    message: cut(message) ?? fields[0]?.message,
    fields,
  };
}

/** The details; if there are none, the error's description of itself, or its sentences. */
function readShape(shape: Shape, message: string | undefined, sentences: unknown): readonly FieldProblem[] {
  const details = detailNames.flatMap((name) => pick(shape, [name]) ?? []);
  const [structured, texts] = [details.filter(isNested), details.filter((detail) => typeof detail === 'string')];
  for (const stated of [structured, texts, Array.isArray(sentences) ? [sentences] : []]) {
    const fields = readDetails(stated, message, 4);
    if (fields.length > 0) return fields;
  }
  const named = pathIn(shape, certainFieldNames) === undefined ? undefined : readNamed(shape, message);
  return named ? [named] : [];
}

/**
 * A map from field to words, a list of `{field, message}`, or a text that names the field. `around` is the text above
 * it.
 */
function readDetails(details: unknown, around: string | undefined, depth: number): readonly FieldProblem[] {
  if (typeof details === 'string') return details.split('\n', mostFields).flatMap((line) => readSentence(line) ?? []);
  if (depth === 0) return [];
  if (Array.isArray(details))
    return details.slice(0, mostFields).flatMap((entry: unknown) => readDetails(entry, around, depth - 1));
  if (!isObject(details)) return [];
  const inner = detailNames.flatMap((name) => pick(details, [name]) ?? []).filter(isNested);
  const named = readNamed(details, around);
  if (named && !inner.some((list) => Object.values(list).some(isObject))) return [named];
  // A problem without a field isn't a map from field to words.
  if (pick(details, ['code', 'status']) !== undefined && pickText(details, messageNames) !== undefined) return [];
  if (inner.length > 0) return inner.flatMap((list) => readDetails(list, around, depth - 1));
  return Object.entries(details)
    .slice(0, mostFields)
    .flatMap(([name, words]) => {
      const message = sentenceIn(words);
      if (message !== undefined) return [{ field: fieldName(name), message }];
      // `{inputs: {prompt: …}}`
      return readDetails(words, around, depth - 1);
    });
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function readNamed(shape: Shape, around: string | undefined): FieldProblem | undefined {
  const path = pathIn(shape, fieldNames);
  if (path === undefined) return undefined;
  const names = messageNames.toSorted((a, b) => Number(b === 'detail') - Number(a === 'detail'));
  const own = pickText(shape, names) ?? sentenceIn(pick(shape, ['errors', 'messages']));
  // Only a problem that states nothing but a place may use the sentence above it.
  const message = own ?? (pathIn(shape, certainFieldNames) === undefined || /\s/.test(path) ? undefined : around);
  return message === undefined ? undefined : { field: fieldName(path), message: cut(message) };
}

/** The location of the problem, in one text. A missing property is named next to the object it's missing from. */
function pathIn(shape: Shape, names: readonly string[]): string | undefined {
  const missing = pickText(pickObject(shape, ['params']) ?? {}, ['missingProperty']);
  const source = pickText(pickObject(shape, ['source']) ?? {}, ['pointer', 'parameter']);
  const stated = missing ?? source ?? pick(shape, names);
  if (!Array.isArray(stated)) return typeof stated === 'string' && stated !== '' ? stated : undefined;
  const segments = stated.filter((part) => typeof part === 'string' || typeof part === 'number');
  return segments.length > 0 && segments.length === stated.length ? segments.join('.') : undefined;
}

/** The texts of a message, or of a list of messages, in one; undefined without any. */
export function sentenceIn(words: unknown): string | undefined {
  if (typeof words === 'string') return cut(words);
  if (Array.isArray(words)) {
    const texts = words
      .slice(0, mostFields)
      .flatMap((inner: unknown) =>
        typeof inner === 'string' ? inner : (isObject(inner) && pickText(inner, messageNames)) || [],
      );
    return texts.length > 0 ? cut(texts.join(' ')) : undefined;
  }
  return isObject(words) ? cut(pickText(words, messageNames)) : undefined;
}

/**
 * True if an error's body states this code where a code stands: as a value of its own, or at the start of the error's
 * sentence. Where another code stands, a sentence only mentions this one. An echoed prompt or a help text states none.
 */
function statesCode(body: unknown, code: string): boolean {
  const { codes, labels, sentences } = ownWords(body);
  const wanted = code.toLowerCase();
  const isWanted = (text: string) => (text.split(/[/#]/).at(-1) ?? '').trim().toLowerCase() === wanted;
  if ([...codes, ...labels].some(isWanted)) return true;
  const isStart = (text: string) => new RegExp(`^\\s*${wanted}\\b(?!_)`, 'i').test(text);
  const isAnother = codes.some((text) => !/^\d*$/.test(text)) || labels.some((text) => /^[a-z]+_\w+$/i.test(text));
  return !isAnother && sentences.some(isStart);
}

/**
 * True if beside the problem the body names a render, or says that something was charged or came twice: whatever the
 * status, it may be about a request that was charged.
 */
function isContradicted(body: unknown): boolean {
  if (typeof body === 'string' && /(?<!\\)"(?:generation|render)_?id"\s*:\s*"?[\w-]*\d/i.test(body)) return true;
  const { codes, labels, sentences } = ownWords(body);
  const texts = [...[...codes, ...labels].map((text) => text.replaceAll(/[_-]/g, ' ')), ...sentences];
  return texts.some(tellsOfCharge) || walk(body, new Set(), echoes).entries.some(namesRender);
}

/** Parts of an error that aren't its own words: what was sent, and help. */
const echoes = new Set(
  'inputs input prompt request body params parameters query headers help hint example examples docs links'.split(' '),
);
const codeNames = new Set(['code', 'errorcode']);
/** A code or a few words. */
const labelNames = new Set(['type', 'reason', 'error', 'name', 'title', 'status']);
const sentenceNames = new Set(messageNames.concat('messages', 'details', 'errors'));

/** The codes and the sentences with which an error speaks of itself. A body that isn't JSON is one sentence. */
function ownWords(body: unknown): Readonly<Record<'codes' | 'labels' | 'sentences', readonly string[]>> {
  if (typeof body === 'string') return { codes: [], labels: [], sentences: [body] };
  const own = walk(body, new Set(), echoes).entries.filter(({ place }) => [...around(place)].every(isOwn));
  const named = (names: ReadonlySet<string>) =>
    own.flatMap(({ words, value }) => (typeof value === 'string' && names.has(words.join('')) ? value : []));
  return { codes: named(codeNames), labels: named(labelNames), sentences: named(sentenceNames) };
}

/** Objects that are about the error, or just around it. */
const ownPlaces = new Set(
  'error errors detail details issue issues problem problems fault cause data response result'.split(' '),
);

function isOwn({ words }: WalkPlace): boolean {
  return words.length === 0 || ownPlaces.has(words.join(''));
}

function tellsOfCharge(text: string): boolean {
  return text.split(/[.!?;\n]/).some((sentence) => {
    if (/\bidempoten|\bduplicate (?:request|order|render|generation|submission|charge)/i.test(sentence)) return true;
    const charged = '(?:charged|billed|debited|deducted|paid|processed|submitted|accepted)';
    if (new RegExp(`\\balready\\b.{0,40}\\b${charged}\\b`, 'i').test(sentence)) return true;
    const isDenied = /\b(?:no|not|nothing|never|none|without|cannot)\b|n['’]t\b/i.test(sentence);
    return !isDenied && /\b(?:was|were|been|is|are|got) (?:charged|billed|debited|deducted)\b/i.test(sentence);
  });
}

/** An ID of a render, or an object with one and what only a render has, or a charge. */
function namesRender({ words, value, place }: WalkEntry): boolean {
  const name = words.join('');
  if (name === 'charged' || name === 'chargedcents' || name === 'alreadycharged')
    return value === true || (typeof value === 'number' && value > 0);
  // The name of a field among details may be the same, with a word about it.
  const isId = typeof value === 'number' || (isUsableId(value) && /\d/.test(value) && !/\s/.test(value));
  if (!isId) return false;
  if (/(?:generation|render)id$/.test(name)) return true;
  if (name !== 'id' || !isObject(place.value)) return false;
  const names = new Set(Object.keys(place.value).map((key) => wordsOfName(key).join('')));
  const isRender = /^(?:generation|render)$/.test(place.words.join(''));
  return isRender || names.has('costcents') || names.has('contenturl');
}

const predicate = [
  'is (?:required|missing|invalid|not|too)',
  "(?:must|should|may not|has to|needs to|does not|doesn['’]t|exceeds|can(?:['’]t|not| not) be)\\b",
].join('|');
const spokenName = '([\\w.[\\]/-]{1,200}(?: \\w{1,40}){0,3}?)';
const subject = new RegExp(
  `^\\s*(?:the )?(?:field |input |parameter )?["'\`]?${spokenName}["'\`]?(?: field)? (?:${predicate})`,
  'i',
);
const notAField = /^(it|this|that|there|you|request|body|inputs?|value|json|something|model|key|api key|balance)$/i;

/** `prompt: is required`, `"prompt" is required`, `field prompt is required` or `Prompt can't be blank`. */
function readSentence(line: string): FieldProblem | undefined {
  const text = cut(line);
  const [, before] = /^\s*([\w.[\]/-]{1,200})\s*:\s/.exec(text) ?? [];
  if (before !== undefined) return { field: fieldName(before), message: text.slice(text.indexOf(':') + 1).trim() };
  const [, spoken] = subject.exec(text) ?? [];
  if (spoken !== undefined && !notAField.test(spoken)) return { field: asName(spoken), message: text.trim() };
  const [, quoted, named] =
    /["'`]([\w.[\]/-]{1,200})["'`]|\b(?:field|input|parameter)\s+([\w.[\]/-]{1,200})/i.exec(text) ?? [];
  const name = quoted ?? named;
  return name === undefined ? undefined : { field: fieldName(name), message: text.trim() };
}

/** A sentence begins with a capital and writes `aspect_ratio` as "Aspect ratio". */
function asName(spoken: string): string {
  return /^[A-Z][a-z]*$|\s/.test(spoken) ? spoken.toLowerCase().replaceAll(/\s+/g, '_') : fieldName(spoken);
}

/** The field's own name: a path such as `body.inputs.prompt`, `#/inputs/prompt` or `inputs[prompt]` leads to it. */
function fieldName(path: string): string {
  const name = cut(path)
    .replaceAll(/\[["']?([^\]["']*)["']?\]/g, '.$1')
    .replace(/^[#/$.]*(?:(?:body|data|attributes|request)[./])*(?:inputs?[./])?/, '');
  // One element of a list has no control of its own.
  return name.slice(0, 200).replace(/(?:[./]\d+)+$/, '') + name.slice(200) || path;
}

/** A service, or a proxy in front of it, may quote the key it received. */
function cut(text: string): string;
function cut(text: string | undefined): string | undefined;
function cut(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return redact(text.length <= longest ? text : `${text.slice(0, longest)}…`);
}
