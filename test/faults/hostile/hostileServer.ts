import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { type Clock, systemClock } from '../../../src/base/clock';
import { Wire, type Act, type Request } from './wire';

/** One base URL of the server, with its own behavior. */
export interface Stage {
  readonly base: string;
  readonly requests: readonly Request[];
}

/** A loopback server that speaks HTTP as badly as required: it writes every byte of its responses itself. */
export class HostileServer {
  private readonly stages: { requests: Request[]; act: Act; clock: Clock }[] = [];
  private readonly sockets = new Set<Socket>();
  /** Requests for no known base URL, and nonsensical requests. */
  readonly strays: string[] = [];

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => this.connected(socket));
  }

  static async start(): Promise<HostileServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new HostileServer(server);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A new base URL, whose requests are handled by `act`; its pauses are measured by `clock`. */
  stage(act: Act, clock: Clock = systemClock): Stage {
    const requests: Request[] = [];
    this.stages.push({ requests, act, clock });
    return { base: `${this.origin}/s${this.stages.length - 1}`, requests };
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private connected(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    // The client hangs up when it rejects a response.
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let read = readRequest(text); read; read = readRequest(text)) {
        text = text.slice(read.length);
        this.response(socket, read.request);
      }
    });
  }

  private response(socket: Socket, request: Request): void {
    const [, number, path] = /^\/s(\d+)(\/.*)$/.exec(request.path) ?? [];
    const stage = this.stages[Number(number)];
    if (!stage || path === undefined) {
      this.strays.push(`${request.method} ${request.path}`);
      socket.destroy();
      return;
    }
    const arrived = { ...request, path };
    stage.requests.push(arrived);
    stage.act(new Wire(socket, stage.clock), arrived);
  }
}

function readRequest(text: string): { readonly request: Request; readonly length: number } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const [method = '', path = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const length = end + 4 + Number(headers['content-length'] ?? 0);
  if (text.length < length) return undefined;
  return { request: { method, path, headers, body: text.slice(end + 4, length) }, length };
}
