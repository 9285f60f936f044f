/** What a log gets to read: failures in one line, without keys and without names of files. */

/** The log that the core writes to. The editor's log channel implements it. */
export interface Log {
  debug(message: string, ...details: unknown[]): void;
  info(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
  error(message: string | Error, ...details: unknown[]): void;
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const keyShape = /ai_live_[^\s"'`<>\\,;]*/g;

/** The keys of this window's clients, in any spelling. */
const knownKeys = new Map<string, RegExp>();

/** From now on `redact` knows this key by its value; see `spellings`. */
export function knowKey(key: string, inAnySpelling: RegExp): void {
  knownKeys.set(key, inAnySpelling);
}

/** Removes known API keys, and everything shaped like one: the last safeguard before a log or a screen. */
export function redact(text: string): string {
  let left = text;
  for (const key of knownKeys.values()) left = left.replace(key, 'ai_live_…');
  return left.replace(keyShape, 'ai_live_…');
}

/** A file's name in quotes, with or without a folder: in the system's messages, and in ours of each language. */
const quotedName = /(["'“„«「]\s?(?:[^"'“”„«»「」]*[/\\])?)[^"'“”„«»「」/\\]+(\.\w{1,10}(?=\s?["'“”»」]))/g;
/** A URI, except that of a web page. */
const fileUri = /\b(?!https?:)[a-z][\w+.-]{1,30}:\/[^\s"']+/gi;
const nameInUri = /^.+(\.\w{1,10})(?!\w)/;

/**
 * Removes the names of files, except for their folder and file extension: a result's name is made from its prompt,
 * which readers of a log have no business knowing. Names of results must be in quotes, or in a URI.
 */
export function withoutNames(text: string): string {
  return text.replace(quotedName, '$1…$2').replace(fileUri, (uri) => {
    const end = uri.lastIndexOf('/') + 1;
    return uri.slice(0, end) + uri.slice(end).replace(nameInUri, '…$1');
  });
}

/**
 * The text on one line, with invisible characters, line breaks, and direction controls escaped: a service's text can't
 * pass for a separate line.
 */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}

/** The reason for a failure in one line for the log: its message and those of its causes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : reasonOf(error.cause);
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}

/** True when the error only means that the result is no longer wanted: a cancellation is an outcome, not a failure. */
export function isAbort(error: unknown): boolean {
  // The editor's own CancellationError has the name `Canceled`.
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}

const warned = new WeakMap<object, Set<string>>();

/** Logs each warning only once: files are read again and again, with the same problem each time. */
export function warnOnce(log: Pick<Log, 'warn'>, message: string): void {
  const told = warned.get(log) ?? new Set();
  warned.set(log, told);
  if (told.has(message)) return;
  told.add(message);
  log.warn(message);
}
