/** JSON, and inputs of a render: a copy of them that nothing changes once they have a price. */

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A JSON object; names such as `__proto__` are data in it. */
export type JsonObject = { readonly [name: string]: Json };

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

declare const frozen: unique symbol;

/**
 * An immutable copy of a render's inputs: exactly this is priced, shown, confirmed, recorded, and sent. Only
 * `frozenInputs` creates one.
 */
export type FrozenInputs = JsonObject & { readonly [frozen]: true };

/** Why a value can't be sent. */
export type Unfit = 'notJson' | 'circular' | 'tooDeep' | 'tooMany' | 'unreadable';

/** A value that JSON can't represent as it is. */
export class UnfitError extends Error {
  override readonly name = 'UnfitError';
  constructor(
    readonly reason: Unfit,
    /** The path to it: property names and list indexes. */
    readonly path: readonly (string | number)[],
    cause?: unknown,
  ) {
    super(`The value at ${path.join('.')} can't be sent (${reason})`, { cause });
  }
}

/** Beyond any model's needs; stops endless values. */
const most = { levels: 64, values: 1_000_000 };

const copies = new WeakSet<object>();

/**
 * Copies and freezes the inputs in one synchronous step. Reads each property once; skips undefined ones. Throws
 * UnfitError for anything JSON would drop, change, or reject, so that it's never sent as something else. Returns frozen
 * inputs as they are.
 */
export function frozenInputs(inputs: Readonly<Record<string, unknown>>): FrozenInputs {
  if (copies.has(inputs)) return inputs as FrozenInputs;
  const copy = new Copying().copy(inputs, []) as FrozenInputs;
  copies.add(copy);
  return copy;
}

/** A copy, or why there is none. */
export type Copied = { readonly copy: FrozenInputs } | { readonly error: UnfitError };

/**
 * As `frozenInputs` for untrusted values, returning the error instead of throwing: for callers that must copy now but
 * can report it only later.
 */
export function copied(given: unknown): Copied {
  try {
    if (!isObject(given)) throw new UnfitError('notJson', []);
    return { copy: frozenInputs(given) };
  } catch (error) {
    return { error: error instanceof UnfitError ? error : new UnfitError('unreadable', [], error) };
  }
}

class Copying {
  private readonly around = new Set<object>();
  private count = 0;

  copy(value: unknown, path: readonly (string | number)[]): Json {
    this.count += 1;
    if (this.count > most.values) throw new UnfitError('tooMany', path);
    if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value !== 'object') throw new UnfitError('notJson', path);
    if (this.around.has(value)) throw new UnfitError('circular', path);
    if (path.length >= most.levels) throw new UnfitError('tooDeep', path);
    this.around.add(value);
    const copy = this.copyAll(value, path);
    this.around.delete(value);
    return Object.freeze(copy);
  }

  private copyAll(value: object, path: readonly (string | number)[]): Json {
    try {
      if (Array.isArray(value)) {
        const list = value as readonly unknown[];
        return Array.from({ length: Math.min(list.length, most.values) }, (_, index) =>
          this.copy(list[index], [...path, index]),
        );
      }
      if (!isPlain(value)) throw new UnfitError('notJson', path);
      const properties = Object.keys(value).map((name) => [name, (value as Record<string, unknown>)[name]] as const);
      const stated = properties.filter(([, property]) => property !== undefined);
      // Unlike an assignment, this treats `__proto__` as a plain name.
      return Object.fromEntries(stated.map(([name, property]) => [name, this.copy(property, [...path, name])]));
    } catch (error) {
      // A getter or a proxy may throw anything.
      throw error instanceof UnfitError ? error : new UnfitError('unreadable', path, error);
    }
  }
}

/** A plain object, of this realm or another. Values with their own JSON form, such as dates, are rejected. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isBare = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isBare && typeof (value as { readonly toJSON?: unknown }).toJSON !== 'function';
}
