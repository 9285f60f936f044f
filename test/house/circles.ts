import type { Source } from './sources';

/** The folders that each folder depends on at run time, except itself. */
export function folderImports(sources: readonly Source[]): ReadonlyMap<string, ReadonlySet<string>> {
  const folders = new Map(sources.map(({ path, folder }) => [path, folder]));
  const needs = new Map<string, Set<string>>();
  for (const { folder, imports } of sources) {
    const needed = needs.get(folder) ?? new Set();
    needs.set(folder, needed);
    for (const { from, isType } of imports) {
      const other = folders.get(from);
      if (!isType && other !== undefined && other !== folder) needed.add(other);
    }
  }
  return needs;
}

/** The files that each file imports, also for types alone; without those loaded when first needed unless `lazy`. */
export function fileImports(
  sources: readonly Source[],
  { lazy }: { readonly lazy: boolean },
): ReadonlyMap<string, ReadonlySet<string>> {
  const paths = new Set(sources.map(({ path }) => path));
  const ours = ({ imports }: Source) => imports.filter(({ from, isLazy }) => paths.has(from) && (lazy || !isLazy));
  return new Map(sources.map((source) => [source.path, new Set(ours(source).map(({ from }) => from))]));
}

/** The groups of folders or files that depend on each other in a circle, each sorted by name. */
export function circles(needs: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map([...needs.keys()].map((folder) => [folder, reachedFrom(folder, needs)]));
  const found = new Map<string, string[]>();
  for (const folder of needs.keys()) {
    const circle = [...needs.keys()].filter(
      (other) => reached.get(folder)?.has(other) && reached.get(other)?.has(folder),
    );
    if (circle.length > 1) found.set(circle.sort().join(), circle);
  }
  return [...found.values()];
}

function reachedFrom(start: string, needs: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
    for (const next of needs.get(folder) ?? [])
      if (!reached.has(next)) {
        reached.add(next);
        waiting.push(next);
      }
  return reached;
}
