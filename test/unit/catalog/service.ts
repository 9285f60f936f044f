import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { type Clock, type Random, systemClock } from '../../../src/base/clock';
import { type Log, silentLog } from '../../../src/base/log';
import { CatalogClient, type ClientLimits } from '../../../src/catalog/client';
import { ServiceError } from '../../../src/catalog/errors';
import { HttpTransport, type Transport } from '../../../src/catalog/transport';

/** A received request. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Service {
  readonly base: string;
  readonly arrived: Arrived[];
}

export type Answering = (response: ServerResponse, request: Arrived) => void;

/** A service on loopback with scripted responses, until the test ends. */
export async function serve(test: TestContext, answer: Answering): Promise<Service> {
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const whole = { method, url, headers, body: Buffer.concat(chunks).toString() };
      arrived.push(whole);
      answer(response, whole);
    });
  });
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { base: await listening(server), arrived };
}

/** A server that treats its sockets as no HTTP server would. Resolves with its base URL. */
export async function serveRaw(test: TestContext, answer: (socket: Socket, request: string) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    // The client may hang up at any time.
    socket.on('error', () => {});
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      const request = text;
      text = '';
      answer(socket, request);
    });
  });
  test.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listening(server);
}

function listening(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

export const json: (value: unknown, status?: number) => Answering =
  (value, status = 200) =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };

export const testKey = 'ai_live_test_key_0123456789';

/** Constant randomness: practically no jitter. */
export const evenChance: Random = { uuid: () => '00000000-0000-4000-8000-000000000000', unit: () => 0 };

interface ClientOptions {
  readonly clock?: Clock;
  readonly limits?: Partial<ClientLimits>;
  readonly transport?: Transport;
  readonly log?: Log;
  readonly language?: string;
  readonly key?: string;
}

/** A real client; its deadlines are short, and its sockets close with the test. */
export function clientOf(test: TestContext, base: string, options: ClientOptions = {}): CatalogClient {
  const { clock = systemClock, limits, log = silentLog, language, key = testKey } = options;
  let { transport } = options;
  if (!transport) {
    const http = new HttpTransport();
    test.after(() => http.dispose());
    transport = http;
  }
  return new CatalogClient({
    base,
    key,
    account: 'account',
    transport,
    clock,
    random: evenChance,
    log,
    limits,
    language,
  });
}

/** The ServiceError that a call ends with. */
export async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('the call did not fail');
}
