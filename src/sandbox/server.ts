import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Clock, systemClock } from '../base/clock';
import { type Log, reasonOf, silentLog } from '../base/log';
import { isLoopback } from '../base/loopback';
import { Account } from './account';
import { languageOf, ProblemDetails, say } from './problem';
import { type Reply, root, Router } from './router';
import { Studio } from './studio';

export interface SandboxOptions {
  /** The account file; created if it doesn't exist. */
  readonly folder: string;
  /** 0, the default, picks a free one. */
  readonly port?: number;
  /** The opening balance of a new account, cents; €25.00 by default. An existing account keeps its own. */
  readonly balanceCents?: number;
  /** How long a typical render takes, ms; 1500 by default. */
  readonly latencyMs?: number;
  /** Sets the key's daily cap, cents; by default unchanged, and initially uncapped. */
  readonly dailyCapCents?: number;
  /** Revokes the existing key and creates another. */
  readonly newKey?: boolean;
  /** How many requests per minute a key may make before it gets 429; 600 by default. */
  readonly requestsPerMinute?: number;
  readonly log?: Log;
  readonly clock?: Clock;
}

/** Where a sandbox responds, and to whom. */
export interface Address {
  /** Its base URL, `http://127.0.0.1:PORT`, above the catalog root. */
  readonly base: string;
  /** The API key, kept in the account file. */
  readonly key: string;
}

/** A running sandbox: the service in miniature, on loopback, with play money. */
export interface Sandbox extends Address {
  /** The remaining balance, cents. */
  balance(): number;
  addMoney(cents: number): void;
  /** Closes all connections. Unfinished renders continue at the next start. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox for the account in the folder, which several processes may share. Continues renders that an earlier
 * one left queued. Rejects if the port is taken or the account file can't be used.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const {
    clock = systemClock,
    log = silentLog,
    latencyMs = 1500,
    balanceCents = 2500,
    requestsPerMinute = 600,
  } = options;
  const account = new Account(
    options.folder,
    { balanceCents, dailyCapCents: options.dailyCapCents, newKey: options.newKey },
    clock,
  );
  const studio = new Studio(account, clock, latencyMs / 2, log);
  const rate = new RequestRate(clock, requestsPerMinute);
  const router = new Router(account, studio, clock, latencyMs, () => base);
  /** Never rejects. */
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    try {
      send(response, await answer(request, account, rate, router));
    } catch (error) {
      sendProblem(response, error, log);
    }
  };
  const server = createServer((request, response) => void serve(request, response));
  let base = '';
  try {
    base = await listen(server, options.port ?? 0);
  } catch (error) {
    account.close();
    throw error;
  }
  account.unfinished().forEach((generation) => studio.take(generation));
  return {
    base,
    key: account.key,
    balance: () => account.balance(),
    addMoney: (cents) => account.addMoney(cents),
    close: async () => {
      await Promise.all([end(server), studio.close()]);
      account.close();
    },
  };
}

async function answer(request: IncomingMessage, account: Account, rate: RequestRate, router: Router): Promise<Reply> {
  // With DNS rebinding, a web page's requests arrive under its own host name.
  const name = `http://${request.headers.host}`;
  if (!URL.canParse(name) || !isLoopback(name)) throw ProblemDetails.misdirected();
  const address = `http://127.0.0.1${request.url}`;
  if (!URL.canParse(address)) throw ProblemDetails.noSuchPath();
  const url = new URL(address);
  if (!url.pathname.startsWith(`${root}/`)) throw ProblemDetails.noSuchPath();
  const key = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  if (key === undefined || !account.accepts(key)) throw unauthorized;
  const full = rate.take(key);
  if (full) throw tooManyRequests(full.retryAfterSeconds);
  return await router.answer({
    method: request.method ?? 'GET',
    path: url.pathname.slice(root.length),
    query: url.searchParams,
    key,
    language: languageOf(request.headers['accept-language']),
    idempotencyKey: request.headers['idempotency-key']?.toString(),
    body: () => readJson(request),
  });
}

const unauthorized = new ProblemDetails(401, 'UNAUTHORIZED', say('The API key is missing, wrong, or revoked.'), {
  'www-authenticate': 'Bearer',
});

function tooManyRequests(seconds: number): ProblemDetails {
  const headers = { 'retry-after': String(seconds) };
  return new ProblemDetails(429, 'TOO_MANY_REQUESTS', say('Too many requests. Try again in {0} s.', seconds), headers);
}

function send(response: ServerResponse, answer: Reply): void {
  if ('json' in answer) sendJson(response, 200, answer.json);
  else if ('file' in answer) sendBytes(response, 200, answer.file.type, answer.file.bytes);
  else response.writeHead(204).end();
}

function sendProblem(response: ServerResponse, error: unknown, log: Log): void {
  if (!(error instanceof ProblemDetails)) log.error(`Sandbox: ${reasonOf(error)}`);
  const problem =
    error instanceof ProblemDetails
      ? error
      : new ProblemDetails(500, 'INTERNAL', say('Internal sandbox error. See the log.'));
  // Otherwise the rest of an unread body would be taken for the next request.
  if (!response.req.complete) response.shouldKeepAlive = false;
  const language = languageOf(response.req.headers['accept-language']);
  sendJson(response, problem.status, problem.in(language), problem.headers);
}

function sendJson(
  response: ServerResponse,
  status: number,
  json: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendBytes(response, status, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(json)), headers);
}

function sendBytes(
  response: ServerResponse,
  status: number,
  type: string,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...headers,
    'content-type': type,
    'content-length': bytes.byteLength,
    'cache-control': 'no-store',
  });
  response.end(bytes);
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

function end(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** A token bucket for each caller: initially full, refilled evenly, one token per request. */
class RequestRate {
  private readonly buckets = new Map<string, { tokens: number; at: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly perMinute: number,
  ) {}

  /** Takes a token; if there is none, returns in how many whole seconds there is (429, Retry-After). */
  take(caller: string): { retryAfterSeconds: number } | undefined {
    const now = this.clock.ticks();
    const bucket = this.buckets.get(caller) ?? { tokens: this.perMinute, at: now };
    const tokens = Math.min(this.perMinute, bucket.tokens + ((now - bucket.at) / 60_000) * this.perMinute);
    const taken = tokens >= 1;
    this.buckets.set(caller, { tokens: taken ? tokens - 1 : tokens, at: now });
    return taken ? undefined : { retryAfterSeconds: Math.max(1, Math.ceil(((1 - tokens) / this.perMinute) * 60)) };
  }
}

/** The largest body that is read, bytes: room for two images as base64. */
const limit = 12 * 1024 * 1024;

/** The JSON in a request. Throws 415 for another Content-Type, 413 above 12 MiB, and 400 for invalid JSON. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new ProblemDetails(415, 'NOT_JSON', say('Send JSON, with Content-Type: application/json.'));
  const bytes = await read(request);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (error) {
    throw new ProblemDetails(400, 'INVALID_JSON', say('The body isn’t valid JSON: {0}', (error as Error).message));
  }
}

async function read(request: IncomingMessage): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > limit) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tooLarge(): ProblemDetails {
  return new ProblemDetails(413, 'TOO_LARGE', say('The body has more than {0} bytes.', limit));
}
