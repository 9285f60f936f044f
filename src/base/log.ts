/** The log that the core writes to; the editor's log channel fits as it is. */
export interface Log {
  debug(message: string, ...details: unknown[]): void;
  info(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
  error(message: string | Error, ...details: unknown[]): void;
}

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const keyShape = /ai_live_[^\s"'`<>\\,;]*/g;

/** Removes everything shaped like an API key: the last safeguard before a log or a screen. */
export function redact(text: string): string {
  return text.replace(keyShape, 'ai_live_…');
}

/**
 * The text on one line, with invisible characters, line breaks, and direction controls escaped: a service's text can't
 * pass for a separate line.
 */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}
