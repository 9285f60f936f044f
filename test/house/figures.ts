import { circles, fileImports } from './circles';
import type { Source } from './sources';

/** Imports of files of ours, per 100 lines: how many threads there are between the pieces. */
export function ownImportsPer100(sources: readonly Source[]): number {
  const paths = new Set(sources.map(({ path }) => path));
  const own = sources.map(({ imports }) => imports.filter(({ from }) => paths.has(from)).length);
  return (100 * sum(own)) / linesOf(sources);
}

/** Types made of others' parts with `Pick` and `Omit`, per 1,000 lines. */
export function partsPer1000(sources: readonly Source[]): number {
  return (1000 * sum(sources.map(({ parts }) => parts))) / linesOf(sources);
}

/** The mean number of lines of a file. */
export function meanLines(sources: readonly Source[]): number {
  return linesOf(sources) / sources.length;
}

/** The number of files in the largest circle, type imports counted; those that load later only if `lazy`. */
export function largestCircle(sources: readonly Source[], { lazy }: { readonly lazy: boolean }): number {
  return Math.max(0, ...circles(fileImports(sources, { lazy })).map(({ length }) => length));
}

/** How many files import each file. */
export function importersOf(sources: readonly Source[]): number[] {
  const counts = new Map(sources.map(({ path }) => [path, 0]));
  for (const { imports } of sources)
    for (const from of new Set(imports.map((one) => one.from))) counts.set(from, (counts.get(from) ?? 0) + 1);
  return sources.map(({ path }) => counts.get(path) ?? 0);
}

/** How many names occur twice or more. */
export function repeated(names: readonly string[]): number {
  return new Set(names.filter((name, index) => names.indexOf(name) !== index)).size;
}

function linesOf(sources: readonly Source[]): number {
  return sum(sources.map(({ lines }) => lines.length));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
