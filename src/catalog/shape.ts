import { isObject, type Json } from '../base/json';
import { ServiceError } from './errors';

/** An object as received, before its meaning is known. */
export type Shape = Readonly<Record<string, unknown>>;

/** The value of the first of these names that the object itself has; null counts as none. */
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

/** As `pick`, the first that is a non-empty text. */
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
 * An amount in cents: a whole number, not negative. Money isn't read from texts or fractions.
 */
export function readCents(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** True for an ID that can be part of a request: not empty, at most 1 KiB, no control characters, no dot segment. */
export function isUsableId(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value !== '.' &&
    value !== '..' &&
    value.length <= 1024 &&
    // Half of a surrogate pair (Cs) can't be percent-encoded. Plain ASCII, the usual case, is checked faster.
    (/^[ -~]*$/.test(value) || !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(value))
  );
}

/** The most values in a part of a response that is kept as is. */
const mostKept = 50_000;

/**
 * Parsed JSON that later code can walk and serialize; undefined if it nests too deep for the stack, or has more values
 * than can be gone through in one piece.
 */
export function readJson(value: unknown): Json | undefined {
  const left = { values: mostKept };
  return value !== undefined && nestsWithin(value, 100, left) ? (value as Json) : undefined;
}

/** The error for a 2xx whose body isn't what the specification says. */
export function unreadable(what: string): ServiceError {
  return new ServiceError('unreadable', `Couldn’t read the response: ${what}`);
}

function nestsWithin(value: unknown, levels: number, left: { values: number }): boolean {
  left.values--;
  if (typeof value !== 'object' || value === null) return true;
  const inside = Array.isArray(value) ? (value as unknown[]) : Object.values(value);
  return levels > 0 && inside.length <= left.values && inside.every((inner) => nestsWithin(inner, levels - 1, left));
}
