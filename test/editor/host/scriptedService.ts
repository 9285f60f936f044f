import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { codeOf } from '../../../src/files/problem';

/** What a scripted service returns; may change while it runs. */
export interface Script {
  key: string;
  balanceCents: number;
  /** The body of the model list, verbatim. */
  models: string;
  /** The models with their fields. */
  details?: readonly { readonly id: string; readonly [name: string]: unknown }[];
  /**
   * The price of any render, or depending on model and inputs. Without it, the service has no prices and renders
   * nothing.
   */
  priceCents?: number | ((modelId: string, inputs: Readonly<Record<string, unknown>>) => number);
  /** The outcome of every render; by default an immediate text. */
  outcome?: { readonly status: string; readonly [name: string]: unknown };
  /** Its responses have no Date. */
  silent?: boolean;
  /** Responses wait for this. */
  until?: Promise<unknown>;
  /** Called first for each request; its result is the response. */
  refuse?: (method: string, path: string) => Refusal | undefined;
}

/** A response that isn't a success. */
export interface Refusal {
  /** 0 closes the connection without a response. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json: object;
}

export interface ScriptedService {
  readonly base: string;
  readonly script: Script;
  /** The requests so far, such as `GET /me`. */
  readonly asked: readonly string[];
  /** Ends all renders so far with the script's current outcome. */
  finish(): void;
  stop(): Promise<void>;
}

/**
 * A service on loopback with a scripted account and models, whose renders immediately return a text for their price.
 * Everything else is 404.
 */
export async function startScriptedService(script: Script, onPort?: number): Promise<ScriptedService> {
  const rendered = new Map<string, object>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${pathOf(request)}`);
    void answer(script, rendered, request, response);
  });
  const port = await listen(server, onPort);
  const stop = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const finish = () => {
    for (const [key, generation] of rendered) rendered.set(key, { ...generation, ...script.outcome });
  };
  return { base: `http://127.0.0.1:${port}`, script, asked, finish, stop };
}

/** Its port: below the range of ephemeral ports, so that nothing else responds there after the service has stopped. */
async function listen(server: Server, onPort?: number): Promise<number> {
  for (;;) {
    const port = onPort ?? randomInt(20_000, 32_000);
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
      return port;
    } catch (error) {
      if (onPort !== undefined || codeOf(error) !== 'EADDRINUSE') throw error;
    }
  }
}

async function answer(
  script: Script,
  rendered: Map<string, object>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', headers } = request;
  const path = pathOf(request);
  const send = (status: number, body: string, more = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(body);
  };
  if (script.silent) response.sendDate = false;
  const priceCents = priceIn(script, await bodyOf(request));
  await script.until;
  const refusal = script.refuse?.(method, path);
  if (refusal) {
    if (refusal.status === 0) response.destroy();
    else send(refusal.status, JSON.stringify(refusal.json), refusal.headers);
  } else if (headers.authorization !== `Bearer ${script.key}`) {
    send(401, '{"code":"UNAUTHORIZED","message":"[No](command:workbench.action.quit)"}');
  } else if (path === '/me') {
    send(200, JSON.stringify({ balanceCents: script.balanceCents }));
  } else if (path === '/models') {
    send(200, script.models);
  } else if (path.startsWith('/models/detail?id=')) {
    const id = decodeURIComponent(path.slice('/models/detail?id='.length));
    const model = script.details?.find((one) => one.id === id);
    send(model ? 200 : 404, JSON.stringify(model ?? { code: 'NOT_FOUND', message: 'There is no such model' }));
  } else if (path === '/quote' && priceCents !== undefined) {
    send(200, JSON.stringify({ priceCents }));
  } else if (path === '/generations' && method === 'GET') {
    send(200, JSON.stringify({ generations: [...rendered.values()] }));
  } else if (path.startsWith('/generations/') && method === 'GET') {
    const generation = [...rendered.values()].find((one) => 'id' in one && path === `/generations/${one.id as string}`);
    send(
      generation ? 200 : 404,
      JSON.stringify(generation ?? { code: 'NOT_FOUND', message: 'There is no such render' }),
    );
  } else if (path === '/generations' && priceCents !== undefined) {
    const key = headers['idempotency-key'] as string;
    const known = rendered.get(key);
    if (!known) script.balanceCents -= priceCents;
    const outcome = script.outcome ?? { status: 'succeeded', textOutput: 'Done.' };
    const generation = known ?? { id: `g-${key}`, costCents: priceCents, ...outcome };
    rendered.set(key, generation);
    send(201, JSON.stringify(generation));
  } else {
    send(404, '{"code":"NOT_FOUND","message":"There is nothing here"}');
  }
}

const root = '/api/v1/api/catalog';

/** Relative to the catalog root; empty outside it. */
function pathOf({ url }: IncomingMessage): string {
  return url?.startsWith(root) ? url.slice(root.length) : '';
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function priceIn({ priceCents }: Script, body: string): number | undefined {
  if (typeof priceCents !== 'function') return priceCents;
  if (body === '') return undefined;
  const { modelId, inputs } = JSON.parse(body) as { modelId: string; inputs: Record<string, unknown> };
  return priceCents(modelId, inputs);
}
