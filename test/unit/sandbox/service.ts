import { mkdtempSync, rmSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Address, type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/server';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body as JSON; fails the test if it isn't. */
  readonly json: Record<string, unknown>;
}

export interface Sent {
  /** The key to send; `null` omits the Authorization header. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  /** Sent as JSON, or unchanged if it's a text or bytes. */
  readonly body?: unknown;
}

/** A folder that is removed after the test. */
export function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A sandbox whose renders are ready immediately, in a new folder unless told otherwise. */
export async function open(t: TestContext, options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const folder = options.folder ?? newFolder(t);
  const sandbox = await startSandbox({ folder, latencyMs: 0, requestsPerMinute: 1_000_000, ...options });
  t.after(() => sandbox.close());
  return sandbox;
}

/** One raw request below the catalog root. */
export function call(sandbox: Address, method: string, path: string, sent: Sent = {}): Promise<Reply> {
  return raw(sandbox, method, `/api/v1/api/catalog${path}`, sent);
}

/** One raw request to any path. */
export function raw(
  sandbox: Address,
  method: string,
  path: string,
  { key, headers = {}, body }: Sent = {},
): Promise<Reply> {
  const payload = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const authorization = key === null ? {} : { authorization: `Bearer ${key ?? sandbox.key}` };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      sandbox.base + path,
      { method, headers: { ...authorization, ...type, ...headers } },
      (incoming) => {
        const parts: Buffer[] = [];
        incoming.on('data', (part: Buffer) => parts.push(part));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const bytes = Buffer.concat(parts);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            bytes,
            get json() {
              return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
            },
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

/** Starts a render, and returns the response. */
export function start(sandbox: Address, modelId: string, inputs: object, idempotencyKey?: string): Promise<Reply> {
  const headers: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return call(sandbox, 'POST', '/generations', { headers, body: { modelId, inputs } });
}

/** Polls a render until it has one of these statuses. */
export async function until(sandbox: Address, id: unknown, ...statuses: string[]): Promise<Record<string, unknown>> {
  for (;;) {
    const { json } = await call(sandbox, 'GET', `/generations/${String(id)}`);
    if (statuses.includes(String(json.status))) return json;
  }
}

export async function balance(sandbox: Address): Promise<number> {
  return Number((await call(sandbox, 'GET', '/me')).json.balanceCents);
}

export const haiku = 'quill-house/verse/haiku-1';
export const strata = 'paperlight/strata/strata-2';
/** The image model that draws fastest. */
export const sprite = 'eight-bit-yard/pixel/sprite-1';
export const failing = 'rehearsal/fire-drill/always-fails';
