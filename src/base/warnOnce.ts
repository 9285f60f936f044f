import type { Log } from './log';

const warned = new WeakMap<object, Set<string>>();

/** Warns only once of each thing: files are read again and again, and are as bad each time. */
export function warnOnce(log: Pick<Log, 'warn'>, message: string): void {
  const told = warned.get(log) ?? new Set();
  warned.set(log, told);
  if (told.has(message)) return;
  told.add(message);
  log.warn(message);
}
