import { onOneLine, redact } from '../base/log';
import { header } from './headers';
import type { Incoming, Outgoing } from './transport';

/** A request and what came of it, for whoever has to find out why it was not understood. Holds no key and no inputs. */
export interface Exchange {
  readonly method: Outgoing['method'];
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** Content-Type as stated. */
  readonly type?: string;
  /** The first 300 characters of the body on one line; everything shaped like a key is taken out. */
  readonly beginning: string;
}

const mostShown = 300;
/** White space and keys shorten the text, and a key that is cut in half would no longer look like one. */
const mostRead = 64 * mostShown;

/** `text` is as much of the body as came; a key that is not shaped like one must have been taken out of it. */
export function exchangeOf(
  { method, url }: Pick<Outgoing, 'method' | 'url'>,
  incoming: Incoming,
  text: string,
): Exchange {
  const line = redact(text.slice(0, mostRead)).replace(/[ \t\r\n]+/g, ' ');
  return {
    method,
    path: url.pathname + url.search,
    status: incoming.status,
    type: header(incoming.headers, 'content-type'),
    beginning: onOneLine(line.trim().slice(0, mostShown)),
  };
}
