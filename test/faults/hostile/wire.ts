import type { Socket } from 'node:net';
import type { Clock } from '../../../src/base/clock';

/** A completely received request. */
export interface Request {
  readonly method: string;
  /** Relative to the base URL, as received. */
  readonly path: string;
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The service's reaction to a complete request. */
export type Act = (wire: Wire, request: Request) => void;

/** The service's end of a connection, on which it can send anything. */
export class Wire {
  /** What was sent first, for readable reports. */
  first = '';

  constructor(
    private readonly socket: Socket,
    private readonly clock: Clock,
  ) {}

  send(bytes: string | Uint8Array): this {
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    if (this.first === '') this.first = Buffer.from(buffer.subarray(0, 2000)).toString('latin1');
    if (this.isOpen) this.socket.write(buffer);
    return this;
  }

  /** Ends the sending side (FIN). */
  end(): void {
    this.socket.end();
  }

  /** Resets the connection (RST) after what was sent has left. */
  reset(): void {
    this.socket.write('', () => setImmediate(() => this.socket.resetAndDestroy()));
  }

  /** Sends the bytes one by one at this interval of the service's clock, ms. */
  drip(bytes: string, everyMs: number): void {
    if (bytes === '' || !this.isOpen) return;
    this.send(bytes.slice(0, 1));
    this.clock.after(everyMs, () => this.drip(bytes.slice(1), everyMs));
  }

  /** Sends the chunk repeatedly, as fast as it's read; stops if nobody reads it. */
  pour(chunk: Uint8Array, times: number): void {
    let left = times;
    const more = () => {
      while (left > 0 && this.isOpen) {
        left -= 1;
        if (!this.socket.write(chunk)) return void this.socket.once('drain', more);
      }
    };
    more();
  }

  private get isOpen(): boolean {
    return this.socket.writable;
  }
}

/** A complete message, with its length unless the headers describe the body. */
export function message(status: number | string, body: string | Uint8Array, headers: readonly string[] = []): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const framed = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header));
  const lines = [`HTTP/1.1 ${status} As It Is`, ...headers, ...(framed ? [] : [`Content-Length: ${bytes.length}`])];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

export const jsonType = 'Content-Type: application/json';
export const htmlType = 'Content-Type: text/html; charset=utf-8';

/** Responds with a complete message. */
export function says(status: number | string, body: string | Uint8Array, headers: readonly string[] = [jsonType]): Act {
  return (wire) => void wire.send(message(status, body, headers));
}

/** Sends exactly these bytes, and hangs up if told to. */
export function puts(bytes: string, ending: 'open' | 'end' | 'reset' = 'open'): Act {
  return (wire) => {
    wire.send(bytes);
    if (ending === 'end') wire.end();
    if (ending === 'reset') wire.reset();
  };
}
