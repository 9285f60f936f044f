import { endingOf, imageEndings, relativePath } from '../documents/paths';
import type { Edit, Span } from '../documents/scan';
import { type RenderFile } from './renderFile';
import { givenPlaces, pathOf } from './givenFiles';
import { fileIn } from './newRenderFile';
import { sourceNameIn } from './sources';
import { baseOf, targetPlaceOf } from './targets';

/** An image or a folder that was moved or renamed; both paths are relative to the workspace folder. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** The edits that make a render file name the new places of its images, and of those given as inputs. */
export function entriesMoved(file: RenderFile, moves: readonly Move[]): readonly Edit[] {
  const moved = targetsMoved(file, moves);
  const targets = moved.map(({ start, end, name }) => ({ start, end, text: JSON.stringify(name).slice(1, -1) }));
  return [...targets, ...sourcesMoved(file, moved), ...givenMoved(file, moves)].sort((a, b) => a.start - b.start);
}

/** The new name of an entry's file. */
interface MovedTarget extends Span {
  /** Where it was, relative to the workspace folder. */
  readonly from: string;
  readonly name: string;
}

/**
 * An entry for several images stays as it is, since its name has variables; so does one whose image can't be named in
 * this file any more.
 */
function targetsMoved(file: RenderFile, moves: readonly Move[]): MovedTarget[] {
  return file.entries.flatMap(({ file: written, renders: [render, ...others] }) => {
    if (!written || !render || others.length > 0 || render.values.size > 0) return [];
    const target = movedTarget(render.target, moves);
    if (target === undefined) return [];
    const name = fileIn(file, target);
    const place = targetPlaceOf(file.path, file.folder, name);
    if (!('target' in place) || place.target !== target || /[{}]/.test(name)) return [];
    const { start, end } = written;
    return [{ start, end, from: render.target, name }];
  });
}

/** Inputs name an entry by its new file, without a file extension if they did so before. */
function sourcesMoved(file: RenderFile, moved: readonly MovedTarget[]): Edit[] {
  const byTarget = new Map(moved.map((one) => [one.from, one.name]));
  const sources = new Map(file.renders.flatMap((render) => [...(render.sources ?? [])]));
  return givenPlaces(file).flatMap(({ start, end, text }) => {
    const source = sources.get(text);
    const name = source && byTarget.get(source.target);
    if (source === undefined || name === undefined) return [];
    const short = baseOf(source.name) === source.name ? baseOf(name) : name;
    return sourceNameIn(`[${short}]`) === undefined ? [] : [{ start, end, text: JSON.stringify(`[${short}]`) }];
  });
}

/** A text with variables stays as it is, and so does one without an image’s file extension: it may be no path. */
function givenMoved(file: RenderFile, moves: readonly Move[]): Edit[] {
  return givenPlaces(file).flatMap(({ start, end, text }) => {
    const path = pathOf(file.path, text);
    const move = moves.find(({ from }) => path === from || path?.startsWith(`${from}/`));
    if (path === undefined || !move || !imageEndings.has(endingOf(path))) return [];
    const to = move.to + path.slice(move.from.length);
    const name = relativePath(file.path, to);
    return pathOf(file.path, name) === to && !/[{}]/.test(text + name)
      ? [{ start, end, text: JSON.stringify(name) }]
      : [];
  });
}

/**
 * Where a target is now; undefined if it didn't move. One without a file extension gets one only if that of its image
 * changes.
 */
function movedTarget(target: string, moves: readonly Move[]): string | undefined {
  for (const { from, to } of moves) {
    if (target === from) return to;
    if (target.startsWith(`${from}/`)) return to + target.slice(from.length);
    if (target !== baseOf(from)) continue;
    return endingOf(to) === endingOf(from) ? baseOf(to) : to;
  }
  return undefined;
}
