import { isLoopback } from '../../../base/loopback';

/** A host, as people type it: a name with a dot, or this machine, maybe with a port and a path. */
const host = /^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?(\/.*)?$/i;

/** An address as it was typed, with the scheme that a bare host leaves out; anything else stays as it is. */
export function typedAddress(text: string): string {
  const typed = text.trim();
  if (!host.test(typed) || !URL.canParse(`http://${typed}`)) return text;
  return isLoopback(`http://${typed}`) ? `http://${typed}` : `https://${typed}`;
}
