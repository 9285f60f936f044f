import type { Place } from './session';

/**
 * The name that what is kept of a service goes by: its normalised address, and `sandbox` for the built-in one, whose
 * port changes.
 */
export function placeName({ base, sandbox }: Place): string {
  return sandbox ? sandboxName : base;
}

export const sandboxName = 'sandbox';
