import { getLocation, type JSONPath } from 'jsonc-parser';
import type { Span } from '../documents/scan';
import { isTooDeep } from './tree';

/** What can be completed at an offset of a render file. */
export type CompletedPlace = Span & {
  /** True if a colon already follows the name of an input. */
  readonly hasValue?: boolean;
} & Completed;

type Completed =
  | { readonly kind: 'model' | 'style' }
  /** `entry`: the index of the input's entry; undefined if it's shared. */
  | { readonly kind: 'inputName'; readonly entry?: number }
  | { readonly kind: 'inputValue'; readonly entry?: number; readonly field: string };

/** Longer files aren't completed, since finding the place takes time proportional to what precedes it. */
const longest = 500_000;

/** Undefined where we have nothing to complete. The span is what a completion replaces, with its quotes. */
export function completedPlace(text: string, offset: number): CompletedPlace | undefined {
  // The file's problems say so.
  if (offset > longest || isTooDeep(text, offset)) return undefined;
  const { path, previousNode, isAtPropertyKey } = getLocation(text, offset);
  const what = completed(path, isAtPropertyKey);
  if (!what) return undefined;
  const isIn = previousNode && previousNode.offset < offset && offset <= previousNode.offset + previousNode.length;
  const start = isIn ? previousNode.offset : wordBefore(text, offset);
  const end = isIn ? previousNode.offset + previousNode.length : offset;
  return { start, end, ...what, ...(isAtPropertyKey ? { hasValue: /^\s*:/.test(text.slice(end, end + 20)) } : {}) };
}

function completed(path: JSONPath, isKey: boolean): Completed | undefined {
  const entry = path[0] === 'renders' && typeof path[1] === 'number' ? path[1] : undefined;
  const [first, second, third] = entry === undefined ? path : path.slice(2);
  // An input may be a list: what is in it is completed as its value.
  const isItem = typeof path.at(-1) === 'number' && path.includes('inputs');
  const length = path.length - (entry === undefined ? 0 : 2) - (isItem ? 1 : 0);
  if (!isKey && length === 1 && (first === 'model' || first === 'style')) return { kind: first };
  if (!isKey && path.at(-1) === 'extends' && (path.includes('style') || first === 'styles')) return { kind: 'style' };
  // Inputs occur in the file, in an entry, and in a style with or without a name.
  const [inputs, field] =
    first === 'inputs'
      ? [length === 2, second]
      : first === 'style' && second === 'inputs'
        ? [length === 3, third]
        : entry === undefined && first === 'styles' && third === 'inputs'
          ? [length === 4, path[3]]
          : [false, undefined];
  if (!inputs || typeof field !== 'string') return undefined;
  return isKey ? { kind: 'inputName', entry } : { kind: 'inputValue', entry, field };
}

/** An unquoted number or word is replaced too. */
function wordBefore(text: string, offset: number): number {
  const [word = ''] = /[\w.+-]*$/.exec(text.slice(Math.max(0, offset - 40), offset)) ?? [];
  return offset - word.length;
}
