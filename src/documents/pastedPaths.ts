import { imageEndings } from './imageEndings';
import { endingOf } from './paths';

/** A longer text isn't a list of paths, in UTF-16 code units. */
const longest = 20_000;

/**
 * The image paths in a text of one path per line, as "Copy Path" in an editor or a system gives them: absolute,
 * relative, or URIs, quoted or not. Empty for any other text.
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
