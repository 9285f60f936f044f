import type { Place } from './session';

/**
 * The name under which data of a service is kept: its normalized address, or `sandbox` for the built-in one, whose port
 * changes.
 */
export function placeName({ base, sandbox }: Place): string {
  return sandbox ? sandboxName : base;
}

export const sandboxName = 'sandbox';
