import { once } from 'node:events';
import { createServer, request as ask, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const root = '/api/v1/api/catalog';
/** How many rows of a list are on a page. */
const rowsPerPage = 4;

type Json = Record<string, unknown>;

/**
 * The sandbox's models and money behind an interface in a different style: JSON:API bodies, paged lists, no `Date`
 * header, no output kinds for models, and a text next to each image. Its account has two API keys.
 */
export class OtherService {
  private readonly revoked = new Set<string>();
  /** The successful requests, such as `POST /quote`, in order. */
  readonly answered: string[] = [];

  private constructor(
    private readonly sandbox: { readonly base: string; readonly key: string },
    private readonly server: Server,
  ) {}

  static async over(sandbox: { readonly base: string; readonly key: string }): Promise<OtherService> {
    const server = createServer((request, response) => {
      service.answer(request, response).catch(() => response.destroy());
    });
    const service = new OtherService(sandbox, server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return service;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The account's first key. */
  get key(): string {
    return this.sandbox.key;
  }

  /** The same account's other key. */
  readonly secondKey = 'ai_live_the_second_key_of_the_same_account';

  /** From now on, the key gets a 401. */
  revoke(key: string): void {
    this.revoked.add(key);
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.sendDate = false;
    const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const isKnown = [this.key, this.secondKey].includes(key) && !this.revoked.has(key);
    const { method = 'GET', url = '/' } = request;
    const headers = { ...request.headers, authorization: `Bearer ${isKnown ? this.key : 'ai_live_none'}` };
    const onward = ask(new URL(url, this.sandbox.base), { method, headers });
    onward.end(await buffer(request));
    const [answer] = (await once(onward, 'response')) as [IncomingMessage];
    const body = await buffer(answer);
    const status = answer.statusCode ?? 502;
    const { pathname, searchParams } = new URL(url, this.base);
    const path = pathname.replace(root, '');
    if (status < 300) this.answered.push(`${method} ${path}`);
    const type = answer.headers['content-type'] ?? '';
    if (!type.includes('json')) {
      response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body);
      return;
    }
    const json = JSON.parse(body.toString()) as Json;
    const said = status < 300 ? inJsonApi(path, json, Number(searchParams.get('page') ?? 1)) : problem(status, json);
    response.writeHead(status, { 'content-type': 'application/vnd.api+json' }).end(JSON.stringify(said));
  }
}

function inJsonApi(path: string, json: Json, page: number): Json {
  const rows = json.models ?? json.generations;
  if (!Array.isArray(rows)) return { data: resource(json, path) };
  const from = (page - 1) * rowsPerPage;
  const next = from + rowsPerPage < rows.length ? `${root}${path}?page=${page + 1}` : null;
  return { data: rows.slice(from, from + rowsPerPage).map((row: Json) => resource(row, path)), links: { next } };
}

/** Omits what a model makes, the sandbox's `type`, and adds a caption to a file. */
function resource(json: Json, path: string): Json {
  const stated = Object.entries(json).filter(([name]) => name !== 'id' && name !== 'type');
  const caption = json.contentUrl === undefined ? {} : { textOutput: 'A picture.' };
  return { id: json.id ?? 'one', type: path.split('/')[1], attributes: { ...Object.fromEntries(stated), ...caption } };
}

function problem(status: number, { code, message, details }: Json): Json {
  const fields = Array.isArray(details) ? (details as Json[]) : [];
  const errors = fields.map(({ field, message: detail }) => ({
    ...{ status: String(status), code, detail },
    source: { pointer: `/data/attributes/inputs/${String(field)}` },
  }));
  return { errors: errors.length > 0 ? errors : [{ status: String(status), code, detail: message }] };
}
