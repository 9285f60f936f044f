import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What is asked of a service in the life of a render. */
export type Exchange = 'order' | 'poll' | 'download';

/** Stands between an editor and a service: all passes, but for the answers a test holds back. Counts what passes. */
export class Gate {
  private holding: { readonly exchange: Exchange; readonly reached: () => void } | undefined;
  /** An order was answered since something is held back: what is asked now may be asked for it. */
  private ordered = false;
  private readonly held: ServerResponse[] = [];
  /** What was asked of the service, as `POST /quote`, in order. */
  readonly asked: string[] = [];

  private constructor(
    private readonly service: string,
    private readonly server: Server,
  ) {}

  /** Opens a gate on loopback before the service at this base address. */
  static async open(service: string): Promise<Gate> {
    const server = createServer((request, response) => {
      // A service that is gone looks gone from before the gate, too.
      gate.pass(request, response).catch(() => response.destroy());
    });
    const gate = new Gate(service, server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return gate;
  }

  /** The base address of the service as the editor finds it. */
  get base(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * Holds back the answers to these from now on; of a download the second half alone. Resolves when the service has
   * done its part of one, and its answer is held.
   */
  hold(exchange: Exchange): Promise<void> {
    this.ordered = false;
    return new Promise((reached) => (this.holding = { exchange, reached }));
  }

  /** Lets everything pass again; what was held back is lost. */
  release(): void {
    this.holding = undefined;
    for (const response of this.held.splice(0)) response.destroy();
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers, url = '/' } = request;
    this.asked.push(`${method} ${url.replace(/^.*\/catalog|\?.*$/g, '')}`);
    const onward = ask(new URL(url, this.service), { method, headers });
    onward.end(await buffer(request));
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    const body = await buffer(answer);
    const exchange = exchangeOf(request);
    const isHeld =
      exchange !== undefined && exchange === this.holding?.exchange && (exchange !== 'poll' || this.ordered);
    this.ordered ||= exchange === 'order';
    if (isHeld && exchange !== 'download') {
      this.held.push(response);
      this.holding?.reached();
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (!isHeld) return void response.end(body);
    this.held.push(response);
    response.write(body.subarray(0, body.length / 2), () => this.holding?.reached());
  }
}

function exchangeOf({ method, url = '' }: IncomingMessage): Exchange | undefined {
  if (/\/generations\/[^/]+\/content$/.test(url)) return 'download';
  if (!/\/generations(\/[^/]+)?$/.test(url)) return undefined;
  return method === 'POST' ? 'order' : method === 'GET' ? 'poll' : undefined;
}
