import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a scripted service says; changed at will while it runs. */
export interface Script {
  key: string;
  balanceCents: number;
  /** The body of the model list, as it is sent. */
  models: string;
  /** The price of any render; without it the service has no prices and renders nothing. */
  priceCents?: number;
}

export interface ScriptedService {
  readonly base: string;
  readonly script: Script;
  stop(): Promise<void>;
}

/**
 * A service on loopback that says what a test wants said of account and models, and at a price answers with a text at once; everything
 * else is 404.
 */
export async function startScriptedService(script: Script): Promise<ScriptedService> {
  const rendered = new Map<string, object>();
  const server = createServer((request, response) => answer(script, rendered, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { base: `http://127.0.0.1:${port}`, script, stop };
}

function answer(
  script: Script,
  rendered: Map<string, object>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { priceCents } = script;
  const { method, headers } = request;
  const path = request.url?.startsWith(root) ? request.url.slice(root.length) : undefined;
  const send = (status: number, body: string) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
  if (headers.authorization !== `Bearer ${script.key}`) {
    send(401, '{"code":"UNAUTHORIZED","message":"[No](command:workbench.action.quit)"}');
  } else if (path === '/me') {
    send(200, JSON.stringify({ balanceCents: script.balanceCents }));
  } else if (path === '/models') {
    send(200, script.models);
  } else if (path === '/quote' && priceCents !== undefined) {
    send(200, JSON.stringify({ priceCents }));
  } else if (path === '/generations' && method === 'GET') {
    send(200, JSON.stringify({ generations: [...rendered.values()] }));
  } else if (path === '/generations' && priceCents !== undefined) {
    const key = headers['idempotency-key'] as string;
    const known = rendered.get(key);
    if (!known) script.balanceCents -= priceCents;
    const generation = known ?? { id: `g-${key}`, status: 'succeeded', costCents: priceCents, textOutput: 'Done.' };
    rendered.set(key, generation);
    send(201, JSON.stringify(generation));
  } else {
    send(404, '{"code":"NOT_FOUND","message":"There is nothing here"}');
  }
}

const root = '/api/v1/api/catalog';
