import { endingFor } from './sniff';

/** A file name that a person typed, as stored in a Target. */
export interface SavedName {
  readonly fileName: string;
  /** Without dot. */
  readonly ending: string;
}

/** As it is on disk. */
export function spelledOut({ fileName, ending }: SavedName): string {
  return ending === '' ? fileName : `${fileName}.${ending}`;
}

/**
 * The name under which a result with this extension is saved: as typed if its extension is of that format, else with
 * that extension appended.
 */
export function savedName(typed: string, extension: string): SavedName {
  const [, base = typed, ending] = /^(.+)\.([^.]+)$/.exec(typed) ?? [];
  if (ending !== undefined && endingFor(extension, ending) === ending) return { fileName: base, ending };
  // A part that begins with a digit belongs to the name: `v1.2`.
  const isEnding = ending !== undefined && /^[a-z]\w{0,4}$/i.test(ending);
  return { fileName: isEnding ? base : typed, ending: extension };
}
