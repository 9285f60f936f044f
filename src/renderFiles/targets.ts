import type { Clock } from '../base/clock';
import { Yielder } from '../base/concurrency';
import { endingOf, folderOf, imageEndings, resolved } from '../documents/paths';
import { type FileFit, type Fit, fitOfFile } from '../files/fit/fit';
import { safeFolder } from '../files/folder';
import { folded, isSafeName } from '../files/names';
import { type AskedRender, type EntryProblem, type RenderFile, spanOf as placeInFile } from './renderFile';
import type { State, StateOf } from './states';

/** The target of a render: a path relative to the workspace folder, or why it isn't possible. */
export type TargetPlace = { readonly target: string } | { readonly code: 'unsafeFile' | 'unsafeFolder' | 'outside' };

/** The place of a render file's file, in the folder that the render file names. */
export function targetPlaceOf(renderFile: string, folder: string, file: string): TargetPlace {
  const stated = `${folder}/${file}`.split('/').filter((segment) => !['', '.', '..'].includes(segment));
  const isNamed = file !== '' && !/(^|\/)\.{0,2}$/.test(file);
  const isSafe = stated.every((segment, index) => isSafeName(index < stated.length - 1 ? segment : baseOf(segment)));
  if (!isNamed || !isSafe) return { code: 'unsafeFile' };
  const target = resolved(folderOf(renderFile), `${folder}/${file}`);
  if (target === undefined) return { code: 'outside' };
  // The render file's own folder may be one where nothing is saved.
  return isSafeFolder(folderOf(target)) ? { target } : { code: 'unsafeFolder' };
}

function isSafeFolder(folder: string): boolean {
  try {
    safeFolder(folder);
    return true;
  } catch {
    return false;
  }
}

/** A path without an image's file extension; unchanged if it has none. */
export function baseOf(path: string): string {
  const ending = endingOf(path);
  return imageEndings.has(ending) ? path.slice(0, -ending.length - 1) : path;
}

/** How the image at a path is fitted; undefined if images can't be written in its format, or not that large. */
export function fitAt(path: string, fit: Fit): FileFit | undefined {
  return fitOfFile(fit, baseOf(path) === path ? undefined : endingOf(path));
}

/** Finds places that are used twice. A name without a file extension collides with that name and any extension. */
export class TakenTargets<T> {
  private readonly byBase = new Map<string, { readonly target: string; readonly by: T }[]>();

  /** Takes a place. Returns who already has it; undefined if it was free. */
  take(target: string, by: T): T | undefined {
    const taken = this.at(target);
    if (taken) return taken;
    const base = folded(baseOf(target));
    this.byBase.set(base, [...(this.byBase.get(base) ?? []), { target, by }]);
    return undefined;
  }

  /** Who has a place. */
  at(target: string): T | undefined {
    const base = folded(baseOf(target));
    return this.byBase.get(base)?.find((one) => isSamePath(folded(one.target), folded(target), base))?.by;
  }
}

/** The first render with a place. */
export function renderAt(renders: readonly AskedRender[], target: string): AskedRender | undefined {
  const taken = new TakenTargets<AskedRender>();
  for (const render of renders) taken.take(render.target, render);
  return taken.at(target);
}

function isSamePath(one: string, other: string, base: string): boolean {
  return one === other || one === base || other === base;
}

interface Asked {
  readonly file: RenderFile;
  readonly render: AskedRender;
}

/** What several render files list. */
export interface SharedTargets {
  /** The entries of each render file that share a file, each with the other's place. */
  readonly problems: ReadonlyMap<RenderFile, readonly EntryProblem[]>;
  /** Renders whose file another render file lists too: don't order them. */
  readonly unsound: ReadonlySet<AskedRender>;
}

/** Finds files that several render files list, taking turns with other work. */
export async function sharedTargets(files: readonly RenderFile[], clock: Clock): Promise<SharedTargets> {
  const turns = new Yielder(clock);
  const problems = new Map(files.map((file) => [file, new Map<string, EntryProblem>()]));
  const unsound = new Set<AskedRender>();
  const taken = new TakenTargets<Asked>();
  const tell = (one: Asked, other: Asked) => {
    const id = JSON.stringify([one.render.entry, other.file.path, other.render.entry]);
    problems.get(one.file)?.set(id, sharing(one, other));
    unsound.add(one.render);
  };
  for (const file of files)
    for (const render of file.renders) {
      await turns.next();
      const [asked, other] = [{ file, render }, taken.take(render.target, { file, render })];
      if (!other || other.file === file) continue;
      tell(asked, other);
      tell(other, asked);
    }
  return { problems: new Map([...problems].map(([file, recorded]) => [file, [...recorded.values()]])), unsound };
}

function sharing({ file, render }: Asked, other: Asked): EntryProblem {
  const elsewhere = { other: placeInFile(other.file, other.render), otherFile: other.file.path };
  return { code: 'sameTarget', severity: 'error', file: render.target, ...elsewhere, ...placeInFile(file, render) };
}

/** What becomes of the result of a render. */
export interface NewImage {
  /** The stale image that it's to replace, and what it's fitted to for that; undefined if it's a new file. */
  readonly replaces?: { readonly file: string; readonly fit: FileFit | undefined };
  /** What it's fitted to as the entry's own file; undefined if it's saved as it comes. */
  readonly fit: FileFit | undefined;
}

/**
 * The new image of a missing or stale one. An image in another format than its entry names can't be replaced by one
 * that is fitted to that: it's a new file. `isRecorded`: the result gets a record of how it was made.
 */
export function newImageOf({ render, state }: StateOf, isRecorded: boolean): NewImage {
  const isOnlyAsNamed = !isRecorded || isNameHeld(render.target, state);
  const stated = render.fit ?? (isOnlyAsNamed ? ({ mode: 'cover' } as const) : undefined);
  const fit = stated && changeAt(render.target, stated);
  if (state.state !== 'stale') return { fit };
  const { file } = state;
  // One that can't be fitted says so with its order.
  const there = (stated && changeAt(file, stated)) ?? fit;
  const isOther = fit?.format !== undefined && there?.format !== fit.format;
  return isOther ? { fit } : { fit, replaces: { file, fit: there } };
}

/** True if an image in another format than the entry names wouldn't be taken for its image, even with a record. */
function isNameHeld(target: string, state: State): boolean {
  if (state.state === 'missing') return state.isNameTaken === true;
  return state.state === 'stale' && folded(state.file) === folded(target);
}

/** How an image at a path is fitted; undefined if that changes none. */
function changeAt(path: string, stated: Fit): FileFit | undefined {
  const fit = fitAt(path, stated);
  return (fit?.width ?? fit?.height ?? fit?.format) === undefined ? undefined : fit;
}
