import type { Log } from './log';

const warned = new WeakMap<object, Set<string>>();

/** Logs each warning only once: files are read again and again, with the same problem each time. */
export function warnOnce(log: Pick<Log, 'warn'>, message: string): void {
  const told = warned.get(log) ?? new Set();
  warned.set(log, told);
  if (told.has(message)) return;
  told.add(message);
  log.warn(message);
}
