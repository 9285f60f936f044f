/** The log the core writes to; the editor's log channel has this shape as it is. */
export interface Log {
  debug(message: string, ...details: unknown[]): void;
  info(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
  error(message: string | Error, ...details: unknown[]): void;
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const keyShape = /ai_live_[^\s"'`<>\\,;]*/g;

/** The text with everything shaped like an API key taken out: the last fence before a log or a screen. */
export function redact(text: string): string {
  return text.replace(keyShape, 'ai_live_…');
}

/**
 * The text on one line, with everything that can't be seen, breaks a line, or turns the direction of reading as a
 * visible escape: words of a service can't pass for a line of their own.
 */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}
