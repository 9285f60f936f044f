import { folded } from '../files/names';
import type { FileFit, Fit } from '../files/fit/fit';
import type { State, StateOf } from './states';
import { fitAt } from './targets';

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
export function newImageOf({ render, state }: Pick<StateOf, 'render' | 'state'>, isRecorded: boolean): NewImage {
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
