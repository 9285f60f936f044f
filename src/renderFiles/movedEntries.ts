import { endingOf } from '../documents/paths';
import type { Edit } from '../documents/span';
import { fileIn } from './newRenderFile';
import type { RenderFile } from './renderFile';
import { baseOf, placeOf } from './targets';

/** An image or a folder that was moved or renamed; both paths are relative to the workspace folder. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * The edits that make entries name the new places of their images. An entry for several images stays as it is, since
 * its name has variables; so does one whose image can't be named in this file any more.
 */
export function entriesMoved(file: RenderFile, moves: readonly Move[]): readonly Edit[] {
  return file.entries.flatMap(({ file: written, renders: [render, ...others] }) => {
    if (!written || !render || others.length > 0 || render.values.size > 0) return [];
    const target = movedTarget(render.target, moves);
    if (target === undefined) return [];
    const name = fileIn(file, target);
    const place = placeOf(file.path, file.folder, name);
    if (!('target' in place) || place.target !== target || /[{}]/.test(name)) return [];
    const { start, end } = written;
    return [{ start, end, text: JSON.stringify(name).slice(1, -1) }];
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
