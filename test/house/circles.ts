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

/** The groups of folders that depend on each other in a circle, each sorted by name. */
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
