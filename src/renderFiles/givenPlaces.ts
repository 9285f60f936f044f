import type { Span } from '../documents/span';
import { isPath, pathOf } from './givenFiles';
import type { Entry, RenderFile } from './renderFile';

/** A text in a render file that may be the path of an image given as an input. */
export interface GivenPlace extends Span {
  readonly text: string;
  /** Where it leads in each render, relative to the workspace folder. */
  readonly paths: readonly string[];
}

/** Every place once, though entries share those of styles and of the file. The span includes the quotes. */
export function givenPlaces(file: RenderFile): readonly GivenPlace[] {
  const places = new Map<number, GivenPlace>();
  for (const entry of file.entries)
    for (const [name, { start, end, value }] of entry.inputPlaces) {
      // No prompt is a path, whatever it says.
      if (name === 'prompt' || !isPath(value)) continue;
      const paths = new Set([...(places.get(start)?.paths ?? []), ...pathsOf(entry, name, file.path)]);
      places.set(start, { start, end, text: value, paths: [...paths] });
    }
  return [...places.values()];
}

function pathsOf({ renders }: Entry, name: string, renderFile: string): string[] {
  const texts = renders.map(({ inputs }) => (Object.hasOwn(inputs, name) ? inputs[name] : undefined));
  return texts.filter(isPath).flatMap((text) => pathOf(renderFile, text) ?? []);
}
