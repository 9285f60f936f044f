import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The key that the service accepts. */
export const benchKey = 'ai_live_bench_0123456789';

/** Below the base URL, as specified. */
export const catalogPath = '/api/v1/api/catalog';

/** A model that every service has. */
export const benchModel = 'bench/plain/first';

export interface ServiceOptions {
  /** How many models it lists. */
  readonly models?: number;
  /** The size of each result, bytes. */
  readonly resultBytes?: number;
}

export interface BenchService {
  readonly base: string;
  /** How often a price was requested. */
  quotes(): number;
  stop(): Promise<void>;
}

const mebibyte = Buffer.alloc(1024 * 1024, 0xfe);

/**
 * A service on loopback that takes no time itself: each render has succeeded by the first poll. The ID of a render
 * states when its request arrived: `g` and the machine's monotonic clock, ns.
 */
export async function startService({ models = 1, resultBytes = 0 }: ServiceOptions = {}): Promise<BenchService> {
  const all = Array.from({ length: models }, (_, index) => modelOf(index));
  // With several models, the first is missing every other time, so that a refreshed list visibly changes.
  const lists = [all, models > 1 ? all.slice(1) : all].map((models) => JSON.stringify({ models }));
  let listed = 0;
  let quotes = 0;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const json = (body: string) => response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    const path = new URL(request.url ?? '', 'http://service').pathname.slice(catalogPath.length);
    const id = /^\/generations\/(\w+)/.exec(path)?.[1];
    if (path === '/me') json('{"balanceCents":100000}');
    else if (path === '/models') json(lists[listed++ % 2]!);
    else if (path === '/models/detail') json(JSON.stringify(detail));
    else if (path === '/quote') json(`{"costCents":${(quotes += 1) && 4}}`);
    else if (id !== undefined && path.endsWith('/content')) send(response, resultBytes);
    else if (id !== undefined) json(JSON.stringify(succeeded(id)));
    else if (request.method === 'POST') json(`{"id":"g${process.hrtime.bigint()}","status":"queued","costCents":4}`);
    else json('{"generations":[]}');
  };
  const server = createServer((request, response) => {
    // Answered at its first byte, so that only arriving counts; the rest is read and discarded.
    answer(request, response);
    request.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, quotes: () => quotes, stop };
}

/** When the request for this render arrived, ms of the machine's monotonic clock. */
export function arrivalOf(generationId: string): number {
  return Number(BigInt(generationId.slice(1))) / 1e6;
}

/** The same clock's current time. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

function succeeded(id: string) {
  return { id, status: 'succeeded', costCents: 4, modelId: benchModel, contentUrl: `/generations/${id}/content` };
}

function send(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes });
  let left = bytes;
  const more = () => {
    while (left > 0) {
      const piece = mebibyte.subarray(0, left);
      left -= piece.length;
      if (!response.write(piece)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  more();
}

const providers = ['Aster', 'Birch', 'Cedar', 'Dahlia', 'Elder', 'Fern', 'Gorse', 'Heath', 'Iris', 'Juniper'];
const families = 30;

/**
 * Models grouped as in a large catalog: 300 families from ten providers, each title with a unique number at the end.
 */
function modelOf(index: number) {
  if (index === 0) return { id: benchModel, name: 'First', type: 'image' };
  const provider = providers[index % providers.length]!.toLowerCase();
  const family = `family-${Math.floor(index / providers.length) % families}`;
  return {
    id: `${provider}/${family}/model-${index}`,
    name: `Model ${index}`,
    type: 'image',
    description: `Draws in the manner of ${family}, number ${index} of the catalog`,
  };
}

const detail = {
  id: benchModel,
  name: 'First',
  type: 'image',
  fields: [
    { name: 'prompt', type: 'text', required: true },
    { name: 'aspect_ratio', type: ['1:1', '2:1', '1:2', '3:1', '1:3', '21:9'], required: false, default: '1:1' },
  ],
};
