import { posix } from 'node:path';
import type { Source } from './sources';

/** A way through the house: what it does, and the files that one reads to follow it, in order, each once. */
export interface Way {
  readonly name: string;
  readonly files: readonly Source[];
}

/** The ways that `src/README.md` lists. A name without a folder is next to the file named before. */
export function waysIn(text: string, sources: readonly Source[]): readonly Way[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const [, section = ''] = /^## Four ways[^\n]*\n(.*?)(?=^## |(?![^]))/ms.exec(text) ?? [];
  return [...section.matchAll(/^\*\*(.+?)\*\*$(.*?)(?=^\*\*|(?![^]))/gms)].map(([, name = '', steps = '']) => {
    const files = new Set<Source>();
    let folder = '.';
    for (const [, named = ''] of steps.matchAll(/`([\w/]+)\.tsx?`/g)) {
      const path = named.includes('/') || byPath.has(named) ? named : posix.join(folder, named);
      folder = posix.dirname(path);
      const source = byPath.get(path);
      if (source) files.add(source);
    }
    return { name, files: [...files] };
  });
}

/** Those of its files that no other one of it imports, and that import none: a step to them or from them is missing. */
export function strayIn({ files }: Way): readonly string[] {
  const needs = new Map(files.map(({ path, imports }) => [path, new Set(imports.map(({ from }) => from))]));
  return files
    .map(({ path }) => path)
    .filter((path) => !files.some((other) => needs.get(other.path)?.has(path) || needs.get(path)?.has(other.path)));
}
