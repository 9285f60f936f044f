import { imageEndings } from './imageEndings';
import { endingOf } from './paths';

/** More than this is no list of paths, UTF-16 code units. */
const longest = 20_000;

/**
 * The paths of images a text consists of, one a line, as "Copy Path" of an editor or of a system gives them: absolute,
 * relative or a URI, in quotes or not. Empty for any other text.
 */
export function pastedPaths(text: string): readonly string[] {
  if (text.length > longest) return [];
  const lines = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim().replace(/^(["'])(.*)\1$/, '$2'));
  return lines.every(isImagePath) ? lines : [];
}

function isImagePath(line: string): boolean {
  return (
    !/[<>"|*\p{Cc}]/u.test(line) &&
    !/^(?:https?|data):/i.test(line) &&
    imageEndings.has(endingOf(line.replaceAll('\\', '/')))
  );
}
