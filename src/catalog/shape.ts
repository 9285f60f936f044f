import { isObject, type Json } from '../base/json';
import { ServiceError } from './errors';

/** An object as it came, before anybody knows what it is. */
export type Shape = Readonly<Record<string, unknown>>;

/** The first of these names that the object itself holds with a value; null is none. */
export function pick(shape: Shape, names: readonly string[]): unknown {
  for (const name of names) {
    if (Object.hasOwn(shape, name) && shape[name] !== null && shape[name] !== undefined) return shape[name];
  }
  return undefined;
}

/** As `pick`, the first that is an object. */
export function pickObject(shape: Shape, names: readonly string[]): Shape | undefined {
  for (const name of names) {
    if (Object.hasOwn(shape, name) && isObject(shape[name])) return shape[name];
  }
  return undefined;
}

/** As `pick`, the first that is a text with something in it. */
export function pickText(shape: Shape, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** A number, also one written as text. */
export function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * An amount in cents: a whole number that is not negative, as a number. Money is not read out of texts or fractions.
 */
export function readCents(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** True for an id that can be named in a request: not empty, at most 1 KiB, no control characters, no dot segment. */
export function isUsableId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value !== '.' &&
    value !== '..' &&
    value.length <= 1024 &&
    // Half of a surrogate pair (Cs) cannot be percent-encoded. Plain ASCII, the usual case, is checked faster.
    (/^[ -~]*$/.test(value) || !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(value))
  );
}

/**
 * Parsed JSON that later code may walk and write out again; undefined when it nests deeper than the stack is good for.
 */
export function readJson(value: unknown): Json | undefined {
  return value !== undefined && nestsWithin(value, 100) ? (value as Json) : undefined;
}

/** The error of a 2xx whose body is not what the specification says. */
export function unreadable(what: string): ServiceError {
  return new ServiceError('unreadable', `The answer cannot be read: ${what}`);
}

function nestsWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => nestsWithin(inner, levels - 1));
}
