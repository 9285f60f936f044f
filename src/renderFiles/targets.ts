import { imageEndings } from '../documents/imageEndings';
import { endingOf, folderOf, resolved } from '../documents/paths';
import { folded, isSafeName } from '../files/names';
import type { AskedRender, Problem, RenderFile } from './renderFile';

/** Where a render is to go: a path below the workspace folder, or why there is none. */
export type Place = { readonly target: string } | { readonly code: 'unsafeFile' | 'outside' };

/** The place of a file that a render file names, below the folder that it names. */
export function placeOf(renderFile: string, folder: string, file: string): Place {
  const stated = `${folder}/${file}`.split('/').filter((segment) => !['', '.', '..'].includes(segment));
  const isNamed = file !== '' && !/(^|\/)\.{0,2}$/.test(file);
  const isSafe = stated.every((segment, index) => isSafeName(index < stated.length - 1 ? segment : baseOf(segment)));
  if (!isNamed || !isSafe) return { code: 'unsafeFile' };
  const target = resolved(folderOf(renderFile), `${folder}/${file}`);
  return target === undefined ? { code: 'outside' } : { target };
}

/** A path without the ending of an image; whole where it has none. */
export function baseOf(path: string): string {
  const ending = endingOf(path);
  return imageEndings.has(ending) ? path.slice(0, -ending.length - 1) : path;
}

/** Finds what goes to one place twice. A name without an ending takes whichever comes: it is the same as any with one. */
export class TakenTargets<T> {
  private readonly byBase = new Map<string, { readonly target: string; readonly by: T }[]>();

  /** Who has the place already; undefined where nobody had, and then it is taken. */
  take(target: string, by: T): T | undefined {
    const base = folded(baseOf(target));
    const there = this.byBase.get(base) ?? [];
    const same = there.find((one) => isSame(folded(one.target), folded(target), base));
    if (same) return same.by;
    this.byBase.set(base, [...there, { target, by }]);
    return undefined;
  }
}

function isSame(one: string, other: string, base: string): boolean {
  return one === other || one === base || other === base;
}

/** Renders of several files that go to one place, by the path of the file: each has the place of the other. */
export function sharedTargets(files: readonly RenderFile[]): ReadonlyMap<string, readonly Problem[]> {
  const problems = new Map<string, Problem[]>();
  const taken = new TakenTargets<{ readonly file: RenderFile; readonly render: AskedRender }>();
  for (const file of files)
    for (const render of file.renders) {
      const other = taken.take(render.target, { file, render });
      if (!other || other.file === file) continue;
      tell(problems, file, render, other);
      tell(problems, other.file, other.render, { file, render });
    }
  return problems;
}

interface Asked {
  readonly file: RenderFile;
  readonly render: AskedRender;
}

function tell(problems: Map<string, Problem[]>, file: RenderFile, { entry, target }: AskedRender, other: Asked): void {
  const at = placeIn(file, entry);
  const problem: Problem = {
    code: 'sameTarget',
    severity: 'error',
    file: target,
    other: placeIn(other.file, other.render.entry),
    otherFile: other.file.path,
    ...at,
  };
  problems.set(file.path, [...(problems.get(file.path) ?? []), problem]);
}

function placeIn(file: RenderFile, index: number): { readonly start: number; readonly end: number } {
  const { file: name, span } = file.entries[index]!;
  const { start, end } = name ?? span;
  return { start, end };
}
