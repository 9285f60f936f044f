import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The requests in the life of a render. */
export type Exchange = 'order' | 'poll' | 'download';

/**
 * A proxy between an editor and a service: passes everything except responses that a test holds back. Counts requests.
 */
export class Gate {
  /** What is held back, and whom that is reported to. */
  private readonly holding = new Map<Exchange, () => void>();
  /** An order got its response since something is held back: later requests may be for it. */
  private ordered = false;
  private readonly held: ServerResponse[] = [];
  /** The requests so far, in order, such as `POST /quote`. */
  readonly asked: string[] = [];

  private constructor(
    private readonly service: string,
    private readonly server: Server,
  ) {}

  /** Opens a gate on loopback for the service at this base URL. */
  static async open(service: string): Promise<Gate> {
    const server = createServer((request, response) => {
      // A stopped service looks stopped through the gate, too.
      gate.pass(request, response).catch(() => response.destroy());
    });
    const gate = new Gate(service, server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return gate;
  }

  /** The base URL for the editor. */
  get base(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * Holds back responses to these requests from now on, in addition to others; of a download only the second half.
   * Resolves when the service has handled one and its response is held.
   */
  hold(exchange: Exchange): Promise<void> {
    this.ordered = false;
    return new Promise((reached) => this.holding.set(exchange, reached));
  }

  /** Lets everything pass again; held responses are lost. */
  release(): void {
    this.holding.clear();
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
    const reached = exchange && this.holding.get(exchange);
    const isHeld = reached !== undefined && (exchange !== 'poll' || this.ordered);
    this.ordered ||= exchange === 'order';
    if (isHeld && exchange !== 'download') {
      this.held.push(response);
      reached();
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (!isHeld) return void response.end(body);
    this.held.push(response);
    response.write(body.subarray(0, body.length / 2), () => reached());
  }
}

function exchangeOf({ method, url = '' }: IncomingMessage): Exchange | undefined {
  if (/\/generations\/[^/]+\/content$/.test(url)) return 'download';
  if (!/\/generations(\/[^/]+)?$/.test(url)) return undefined;
  return method === 'POST' ? 'order' : method === 'GET' ? 'poll' : undefined;
}
