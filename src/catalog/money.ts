import { isObject } from '../base/json';
import { around, walk, type WalkEntry, type WalkPlace } from './shape';

/** An amount that a response may state. */
export interface Sought {
  /** The specification's own name for it, in lower case, which is certain anywhere. */
  readonly own: string;
  /** Words of which any other name for it, or for the object around it, has at least one. */
  readonly heads: ReadonlySet<string>;
  /** Other words that such a name may have. */
  readonly besides: ReadonlySet<string>;
  readonly mayBeNegative: boolean;
  /** What states it: a quote is about nothing else, an account or a record of a render is about other things too. */
  readonly response: 'quote' | 'account' | 'record';
}

const euros = ['euro', 'euros', 'eur'];

/** The price of a render, in the response to a quote. */
export const priceSought: Sought = {
  own: 'costcents',
  heads: new Set(['cost', 'costs', 'price', 'total', 'amount', 'charge', 'quote', 'cents']),
  besides: new Set(['render', 'generation', 'final', 'due', 'sum', 'in', 'cent', 'value', ...euros]),
  mayBeNegative: false,
  response: 'quote',
};

/** The charge for a render, in its record; only the specification's own name counts. */
export const chargeSought: Sought = { ...priceSought, response: 'record' };

/** The money left in the balance. It may be overdrawn. */
export const balanceSought: Sought = {
  own: 'balancecents',
  heads: new Set(['balance']),
  besides: new Set(['account', 'current', 'amount', 'value', 'in', 'cents', 'cent', ...euros]),
  mayBeNegative: true,
  response: 'account',
};

/** Names of objects that add nothing to what they contain. */
const wrappers = new Set(
  [
    ['data', 'result', 'results', 'response', 'payload', 'body', 'attributes', 'item', 'items', 'meta', 'details'],
    ['quote', 'pricing', 'estimate', 'generation', 'render', 'account', 'user', 'me', 'key', 'wallet'],
  ].flat(),
);

/** Text by a user or a model says nothing about money. */
const content = new Set(
  [
    ['inputs', 'input', 'parameters', 'params', 'arguments', 'prompt', 'textoutput', 'outputtext', 'text', 'output'],
    ['message', 'reason', 'title', 'description', 'name'],
  ].flat(),
);

/** A name that may mean the amount, with its value. */
interface Claim {
  readonly entry: WalkEntry;
  /** Euro cents; undefined if the value isn't such an amount. */
  readonly cents: number | undefined;
  readonly rank: 'own' | 'clear' | 'bare' | 'never';
}

/**
 * The amount that a response states, in euro cents; undefined if none is certain. One rule decides: all names that may
 * mean the amount agree, nothing in the response says that it's counted in another way, and at least one of the names
 * is the specification's own or can mean nothing else.
 */
export function readMoney(json: unknown, sought: Sought): number | undefined {
  const { entries, cut } = walk(json, content);
  const claims = entries.flatMap((entry) => claimOf(entry, sought) ?? []);
  const own = sought.response === 'quote' ? undefined : claims.find(({ rank }) => rank === 'own');
  const cents = (own ?? claims[0])?.cents;
  if (cut || cents === undefined) return undefined;
  const agrees = (claim: Claim) => claim.cents === cents || (own !== undefined && isInEuros(claim, cents));
  if (!claims.every((claim) => agrees(claim) && !claim.entry.place.among)) return undefined;
  const near = new Set(claims.flatMap(({ entry }) => [...around(entry.place)]));
  const apart = (place: WalkPlace) => !near.has(place) && !isTransparent(place, sought);
  const stated = entries.filter((entry) => saysCurrency(entry) || ![...around(entry.place)].some(apart));
  const contradicts = (entry: WalkEntry) =>
    own ? contradictsOwn(entry, cents, sought, near) : contradictsAny(entry, cents);
  if (stated.some(contradicts)) return undefined;
  return claims.some(({ rank, entry }) => isEnough(rank, entry, stated)) ? cents : undefined;
}

function claimOf(entry: WalkEntry, sought: Sought): Claim | undefined {
  const { words, value, place } = entry;
  if (value === null || value === undefined || value === '') return undefined;
  if (words.join('') === sought.own) return { entry, cents: centsOf(value, sought), rank: 'own' };
  // `{price: {amount: 4}}`: the contents are checked separately.
  if (typeof value === 'object' || sought.response === 'record') return undefined;
  const known = words.every((word) => sought.heads.has(word) || sought.besides.has(word));
  if (!known || ![...words, ...place.words].some((word) => sought.heads.has(word))) return undefined;
  if (![...around(place)].every((here) => isTransparent(here, sought))) return undefined;
  // `{price: {…, cents: true}}` describes the price; `"free"` or 0.04 isn't understood.
  if (typeof value === 'boolean') return undefined;
  const inCents = [...words, ...place.words].some((word) => word === 'cents' || word === 'cent');
  if (inCents) return { entry, cents: centsOf(value, sought), rank: 'clear' };
  if (words.some((word) => euros.includes(word)))
    return { entry, cents: typeof value === 'number' ? Math.round(value * 100) : undefined, rank: 'never' };
  return { entry, cents: centsOf(value, sought), rank: isCount(entry) ? 'never' : 'bare' };
}

/** `{total: 1, items: […]}` counts the list's items. */
function isCount({ words, place }: WalkEntry): boolean {
  return words.join('') === 'total' && isObject(place.value) && Object.values(place.value).some(Array.isArray);
}

function centsOf(value: unknown, { mayBeNegative }: Sought): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && (mayBeNegative || value >= 0) ? value : undefined;
}

/** An amount in euros, as text: €1,250.00. */
const eurosText = /^-?(€|EUR)?\s*-?\d[\d.,' ]*[.,]\d\d\s*(€|EUR|euros?)?$/;

/** Next to the specification's own name, `balance` may be the same amount in euros, as a number or as text. */
function isInEuros({ entry: { value }, rank }: Claim, cents: number): boolean {
  if (rank !== 'bare') return false;
  if (typeof value === 'number') return Math.round(value * 100) === cents;
  if (typeof value !== 'string' || !eurosText.test(value.trim())) return false;
  // With two digits after the point, these are the digits of the amount in cents.
  return Number(value.replaceAll(/\D/g, '')) * (value.includes('-') ? -1 : 1) === cents;
}

function isTransparent({ words }: WalkPlace, { heads, besides }: Sought): boolean {
  return words.every((word) => wrappers.has(word) || heads.has(word) || besides.has(word) || word === 'currency');
}

/**
 * The specification's own name suffices. Any other name means the amount only if nothing makes it that of one of
 * several, and a name without cents only if no currency is stated: 2 EUR aren't 2 cents.
 */
function isEnough(rank: Claim['rank'], { words }: WalkEntry, stated: readonly WalkEntry[]): boolean {
  if (rank === 'own' || rank === 'never') return rank === 'own';
  const isTotal = rank === 'clear' && words.includes('total');
  if (!isTotal && stated.some(saysSeveral)) return false;
  return rank === 'clear' || !stated.some((entry) => saysCurrency(entry) && !isCents(entry.value));
}

const severalWords = /^(quantity|qty|count|copies|images|samples|units?|per|each|times)$/;

function saysSeveral({ words, value }: WalkEntry): boolean {
  return typeof value === 'number' && value !== 0 && value !== 1 && words.some((word) => severalWords.test(word));
}

/** Whether a name says that the amount is counted in another way, is partial, or isn't an amount at all. */
function contradictsAny(entry: WalkEntry, cents: number): boolean {
  const { words, value } = entry;
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  if (saysOtherCurrency(entry) || saysOtherUnit(entry)) return true;
  if (typeof value === 'string' && value.trim() !== '' && (has(/^per$/) || disagreesInWords(value.trim(), cents)))
    return true;
  if (has(/^(exponent|decimals?|scale|precision|divisor|factor|multiplier|minor)$/) && isScale(value)) return true;
  if (has(/^(fees?|tax(es)?|vat|discounts?|surcharges?|rebate)$/) && typeof value === 'number' && value !== 0)
    return true;
  return saysFailure(words.join(''), value);
}

/**
 * The same for the specification's own name in a response that is about other things too: rates, limits, and units are
 * those of other things, unless their name or their object says that they're the amount's.
 */
function contradictsOwn(entry: WalkEntry, cents: number, sought: Sought, near: ReadonlySet<WalkPlace>): boolean {
  const { words, value, place } = entry;
  if (saysOtherCurrency(entry)) return true;
  if (saysOtherUnit(entry) && isAbout(entry, sought, near)) return true;
  if (sought.response === 'record') return false;
  if (typeof value === 'string' && disagreesInWords(value.trim(), cents) && isAbout(entry, sought, near)) return true;
  return near.has(place) && saysFailure(words.join(''), value);
}

/** Words for the form that an amount is stated in: without them, a name says what the amount is of. */
const formWords = new Set(['unit', 'units', 'denomination', 'formatted', 'display', 'text', 'string', 'label']);

/** `balanceUnit`, or `unit` in an object that is the amount's. */
function isAbout({ words, place }: WalkEntry, sought: Sought, near: ReadonlySet<WalkPlace>): boolean {
  const thing = words.filter((word) => !formWords.has(word));
  if (thing.length > 0) return thing.every((word) => sought.heads.has(word) || sought.besides.has(word));
  // The unit in a record itself is that of what was rendered.
  if (place.words.every((word) => wrappers.has(word))) return sought.response === 'account' && near.has(place);
  return true;
}

function saysOtherCurrency(entry: WalkEntry): boolean {
  return saysCurrency(entry) && typeof entry.value === 'string' && !isEuro(entry.value.trim());
}

function saysOtherUnit({ words, value }: WalkEntry): boolean {
  if (typeof value !== 'string' || value.trim() === '') return false;
  return words.some((word) => /^(units?|denomination)$/.test(word)) && !isCents(value);
}

/** Cents are two digits after the point. */
function isScale(value: unknown): boolean {
  return value === false || (typeof value === 'number' && value !== 2) || (typeof value === 'string' && value !== '2');
}

function saysCurrency({ words, value, place }: WalkEntry): boolean {
  if (typeof value !== 'string' || value.trim() === '') return false;
  if (words.includes('currency')) return true;
  const [word = '', ...more] = words;
  if (more.length > 0) return false;
  return word === 'symbol' || (place.words.includes('currency') && /^(code|iso|id|value)$/.test(word));
}

function isEuro(text: string): boolean {
  return /^(eur|€|euros?|978)$/i.test(text) || isCents(text);
}

function isCents(text: unknown): boolean {
  return typeof text === 'string' && /^\s*((eur|euro|€)[ _-]?)?(cents?|ct)\s*$/i.test(text);
}

/** True for a text that is a different amount of money. */
function disagreesInWords(text: string, cents: number): boolean {
  const [, before, number = '', after] =
    /^(\p{Sc}|[A-Z]{3})?\s*(\d{1,12}(?:[.,]\d{1,4})?)\s*(\p{Sc}|[A-Z]{3}|euros?)?$/u.exec(text) ?? [];
  const currency = before ?? after;
  if (currency === undefined) return false;
  return !isEuro(currency) || Math.round(Number(number.replace(',', '.')) * 100) !== cents;
}

function saysFailure(name: string, value: unknown): boolean {
  if (/^(errors?|failure|problem)$/.test(name)) return value === true || isFull(value);
  if (/^(is)?(priced|ok|success|successful|available|valid|known)$/.test(name)) return value === false;
  if (/^(is)?(unpriced|unavailable|unknown|failed)$/.test(name)) return value === true;
  return /^(status|state)$/.test(name) && typeof value === 'string' && /error|fail|unavail|unpriced/i.test(value);
}

function isFull(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
