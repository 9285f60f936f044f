import { onOneLine, redact } from '../base/log';
import { header } from './headers';
import type { Incoming, Outgoing } from './transport';

/** A request and its response, to find out why it wasn't understood. Contains no key and no inputs. */
export interface Exchange {
  readonly method: Outgoing['method'];
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** Content-Type as stated. */
  readonly type?: string;
  /**
   * The first 300 characters of the body on one line, without anything that looks like a key. Undefined when none of it
   * was read.
   */
  readonly beginning?: string;
}

const mostShown = 300;
/** White space and keys shorten the text, and half a key wouldn't look like one. */
const mostRead = 64 * mostShown;

/** `text` is the part of the body that arrived, without a key in use. */
export function exchangeOf(
  { method, url }: Pick<Outgoing, 'method' | 'url'>,
  incoming: Incoming,
  text: string,
): Exchange {
  const isUnread = text === '' && !incoming.body.readableEnded;
  const line = redact(text.slice(0, mostRead)).replace(/[ \t\r\n]+/g, ' ');
  return {
    method,
    path: url.pathname + url.search,
    status: incoming.status,
    type: header(incoming.headers, 'content-type'),
    beginning: isUnread ? undefined : onOneLine(line.trim().slice(0, mostShown)),
  };
}
