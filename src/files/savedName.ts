import { endingFor } from './sniff';

/** The name of a result that a person typed, as far as a Target states it. */
export interface SavedName {
  readonly fileName: string;
  /** Without dot. */
  readonly ending: string;
}

/**
 * The name a result of the format with this extension is saved under: as typed where its ending is of that format, else
 * with that ending.
 */
export function savedName(typed: string, extension: string): SavedName {
  const [, base = typed, ending] = /^(.+)\.([^.]+)$/.exec(typed) ?? [];
  if (ending !== undefined && endingFor(extension, ending) === ending) return { fileName: base, ending };
  // A part that begins with a digit belongs to the name: `v1.2`.
  const isEnding = ending !== undefined && /^[a-z]\w{0,4}$/i.test(ending);
  return { fileName: isEnding ? base : typed, ending: extension };
}
