import type { Socket } from 'node:net';
import type { Clock } from '../../../src/base/clock';

/** A request whose bytes are all here. */
export interface Request {
  readonly method: string;
  /** Below the base address, as it came. */
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a hostile service does when a request is here. */
export type Act = (wire: Wire, request: Request) => void;

/** The service's end of a connection, on which it may put whatever it likes. */
export class Wire {
  /** What was sent first, as a person would read it. */
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

  /** Says that nothing more comes (FIN). */
  end(): void {
    this.socket.end();
  }

  /** Breaks off (RST), when what was sent has left. */
  reset(): void {
    this.socket.write('', () => setImmediate(() => this.socket.resetAndDestroy()));
  }

  /** Sends the bytes one by one, that far apart by the service's clock, ms. */
  drip(bytes: string, everyMs: number): void {
    if (bytes === '' || !this.isOpen) return;
    this.send(bytes.slice(0, 1));
    this.clock.after(everyMs, () => this.drip(bytes.slice(1), everyMs));
  }

  /** Sends the chunk so often, as fast as it is taken; stops when nobody takes it any more. */
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

/** A whole message, with its length unless the headers speak of the body themselves. */
export function message(status: number | string, body: string | Uint8Array, headers: readonly string[] = []): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const framed = headers.some((header) => /^(content-length|transfer-encoding):/i.test(header));
  const lines = [`HTTP/1.1 ${status} As It Is`, ...headers, ...(framed ? [] : [`Content-Length: ${bytes.length}`])];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

export const jsonType = 'Content-Type: application/json';
export const htmlType = 'Content-Type: text/html; charset=utf-8';

/** Answers with a whole message. */
export function says(status: number | string, body: string | Uint8Array, headers: readonly string[] = [jsonType]): Act {
  return (wire) => void wire.send(message(status, body, headers));
}

/** Puts exactly these bytes on the wire, and hangs up if told so. */
export function puts(bytes: string, ending: 'open' | 'end' | 'reset' = 'open'): Act {
  return (wire) => {
    wire.send(bytes);
    if (ending === 'end') wire.end();
    if (ending === 'reset') wire.reset();
  };
}
