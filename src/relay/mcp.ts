import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod/mini';
import type { Clock } from '../base/clock';
import { Disposables } from '../base/disposable';
import { isObject } from '../base/json';
import { oneLine } from '../base/plain';
import { jsonIn, type WindowResult } from './wire';
import type { Relay } from './relay';

/** The sessionless version of the protocol: each request states its client and version. */
const current = '2026-07-28';
/** The versions with a session that begins with `initialize`, newest first. */
const earlier = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
/** The first version with links to files. */
const linksSince = '2025-06-18';

const progressMs = 5_000;
/** How long a user may take before the agent is offered the window's page, ms. */
const offerMs = 2_000;
/** How long a client may cache the list of tools, ms. */
const listMs = 60_000;

const instructions =
  'Renders images and text with the models of this person’s account. Every price is exact, and a person agrees ' +
  'to it in VS Code before anything is spent. Quote first, and render several items in one call. A render with the ' +
  'status pending, waitingForApproval, or rendering continues on its own: call checkRenders, and never render it ' +
  'again.';

const idSchema = z.union([z.string(), z.number()]);

const messageSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.optional(idSchema),
  method: z.string(),
  params: z.optional(z.record(z.string(), z.unknown())),
});

const clientSchema = z.object({ name: z.string() });

const metaSchema = z.object({
  'io.modelcontextprotocol/protocolVersion': z.string(),
  'io.modelcontextprotocol/clientCapabilities': z.record(z.string(), z.unknown()),
  'io.modelcontextprotocol/clientInfo': z.optional(clientSchema),
});

const helloSchema = z.object({
  protocolVersion: z.string(),
  clientInfo: clientSchema,
  capabilities: z.optional(z.object({ elicitation: z.optional(z.object({ url: z.optional(z.object({})) })) })),
});

const callSchema = z.object({ name: z.string(), arguments: z.optional(z.record(z.string(), z.unknown())) });

const canceledSchema = z.object({ requestId: idSchema });

type Id = z.infer<typeof idSchema>;
type Params = Record<string, unknown>;

/** The client and its version. */
interface Client {
  readonly agent: string;
  readonly version: string;
  /** It can offer a user to open a page. Only in sessions: the other protocol would need a second call. */
  readonly opensPages: boolean;
}

/** An error with a code of the protocol. */
class McpError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: object,
  ) {
    super(message);
  }
}

const codes = {
  notJson: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  failed: -32603,
  unsupportedVersion: -32022,
};

/** One client's conversation in the Model Context Protocol: only tools, in versions with and without sessions. */
export class Mcp {
  private readonly running = new Map<Id, AbortController>();
  private offers = 0;
  /** The client that opened a session. */
  private client: Client = { agent: 'unknown', version: earlier[0], opensPages: false };

  /** `version` is the extension's. */
  constructor(
    private readonly relay: Pick<Relay, 'tools' | 'call'>,
    private readonly send: (message: object) => void,
    private readonly version: string,
    private readonly clock: Clock,
  ) {}

  /** Handles a line from the client; undefined for one that was too long. */
  hear(line: string | undefined): void {
    const said = jsonIn(line);
    if (said === undefined)
      return this.fail(undefined, new McpError(codes.notJson, 'The line isn’t JSON, or is too long'));
    const message = messageSchema.safeParse(said).data;
    if (!message) return this.hearOther(said);
    const { id, method, params = {} } = message;
    if (id !== undefined) void this.answer(id, method, params);
    else if (method === 'notifications/cancelled') this.cancel(params);
  }

  /** The client is gone: cancels its calls. */
  close(): void {
    for (const call of this.running.values()) call.abort();
  }

  /** Responses to our offers decide nothing. */
  private hearOther(said: unknown): void {
    if (isObject(said) && ('result' in said || 'error' in said)) return;
    const id = isObject(said) ? idSchema.safeParse(said.id).data : undefined;
    this.fail(id, new McpError(codes.invalidRequest, 'Not a JSON-RPC 2.0 request'));
  }

  private async answer(id: Id, method: string, params: Params): Promise<void> {
    const call = new AbortController();
    this.running.set(id, call);
    try {
      const result = await this.resultOf(method, params, call.signal);
      if (!call.signal.aborted) this.send({ jsonrpc: '2.0', id, result });
    } catch (error) {
      if (!call.signal.aborted) this.fail(id, error);
    } finally {
      this.running.delete(id);
    }
  }

  private fail(id: Id | undefined, error: unknown): void {
    const { code, data, message } =
      error instanceof McpError ? error : { code: codes.failed, data: undefined, message: String(error) };
    this.send({ jsonrpc: '2.0', id, error: { code, message, data } });
  }

  private cancel(params: Params): void {
    const canceled = canceledSchema.safeParse(params).data;
    if (canceled) this.running.get(canceled.requestId)?.abort();
  }

  private async resultOf(method: string, params: Params, signal: AbortSignal): Promise<object> {
    const { _meta: meta } = params;
    if (!isObject(meta) || !('io.modelcontextprotocol/protocolVersion' in meta))
      return this.sessionResult(method, params, signal);
    const client = clientIn(meta);
    const serverInfo = { 'io.modelcontextprotocol/serverInfo': this.serverInfo };
    return { resultType: 'complete', _meta: serverInfo, ...(await this.currentResult(method, params, client, signal)) };
  }

  private async currentResult(method: string, params: Params, client: Client, signal: AbortSignal): Promise<object> {
    const cache = { ttlMs: listMs, cacheScope: 'private' };
    switch (method) {
      case 'server/discover':
        return { ...cache, supportedVersions: [current], capabilities: { tools: {} }, instructions };
      case 'tools/list':
        return { ...cache, tools: this.tools() };
      case 'tools/call':
        return this.callTool(params, client, signal);
      default:
        throw unknownMethod(method);
    }
  }

  private async sessionResult(method: string, params: Params, signal: AbortSignal): Promise<object> {
    switch (method) {
      case 'initialize':
        return this.openSession(params);
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: this.tools() };
      case 'tools/call':
        return this.callTool(params, this.client, signal);
      default:
        throw unknownMethod(method);
    }
  }

  private openSession(params: Params): object {
    const hello = helloSchema.safeParse(params).data;
    if (!hello) throw new McpError(codes.invalidParams, 'initialize needs protocolVersion and clientInfo');
    const version = earlier.find((known) => known === hello.protocolVersion) ?? earlier[0];
    const opensPages = hello.capabilities?.elicitation?.url !== undefined;
    this.client = { agent: claimOf(hello.clientInfo), version, opensPages };
    return { protocolVersion: version, capabilities: { tools: {} }, serverInfo: this.serverInfo, instructions };
  }

  private get serverInfo(): object {
    return { name: 'model-catalog', title: 'Model Catalog', version: this.version };
  }

  private tools(): object[] {
    return this.relay.tools().map((tool) => ({ ...tool, annotations: { readOnlyHint: tool.name !== 'render' } }));
  }

  private async callTool(params: Params, client: Client, signal: AbortSignal): Promise<object> {
    const call = callSchema.safeParse(params).data;
    if (!call)
      throw new McpError(codes.invalidParams, 'tools/call needs the name of a tool and an object of arguments');
    const { name, arguments: given = {} } = call;
    if (!this.relay.tools().some((tool) => tool.name === name))
      throw new McpError(codes.invalidParams, `Unknown tool: ${oneLine(name)}`);
    const own = new Disposables();
    const progress = own.add(this.progress(params, signal));
    const hear = (words: string, page?: string) => {
      progress.hear(words);
      if (page !== undefined && client.opensPages) own.add(this.clock.after(offerMs, () => this.offer(page)));
    };
    const { agent, version } = client;
    try {
      return toolResult(await this.relay.call(name, given, { agent, signal, progress: hear }), version);
    } finally {
      own.dispose();
    }
  }

  /** Offers the page on which a user is asked. The client's response decides nothing. */
  private offer(url: string): void {
    this.offers++;
    const id = `page-${this.offers}`;
    const message = 'VS Code is asking whether to pay for a render. Open its window to answer.';
    const params = { mode: 'url', elicitationId: id, url, message };
    this.send({ jsonrpc: '2.0', id, method: 'elicitation/create', params });
  }

  /** Sends progress to a client that asked for it every five seconds, with the latest message. */
  private progress(params: Params, signal: AbortSignal): { readonly hear: (words: string) => void; dispose(): void } {
    const token = isObject(params._meta) ? idSchema.safeParse(params._meta.progressToken).data : undefined;
    if (token === undefined) return { hear: () => {}, dispose: () => {} };
    let message: string | undefined;
    let progress = 0;
    const tell = () => {
      if (signal.aborted) return;
      progress++;
      const params = { progressToken: token, progress, message };
      this.send({ jsonrpc: '2.0', method: 'notifications/progress', params });
      timer = this.clock.after(progressMs, tell);
    };
    let timer = this.clock.after(progressMs, tell);
    return { hear: (words) => (message = words), dispose: () => timer.dispose() };
  }
}

/** The client, from the metadata of each request. */
function clientIn(meta: Params): Client {
  const requested = meta['io.modelcontextprotocol/protocolVersion'];
  if (requested !== current)
    throw new McpError(codes.unsupportedVersion, 'Unsupported protocol version', { supported: [current], requested });
  const parsed = metaSchema.safeParse(meta).data;
  if (!parsed) throw new McpError(codes.invalidParams, '_meta needs clientCapabilities');
  const info = parsed['io.modelcontextprotocol/clientInfo'];
  return { agent: info ? claimOf(info) : 'unknown', version: current, opensPages: false };
}

function claimOf({ name }: z.infer<typeof clientSchema>): string {
  return oneLine(name, 60);
}

function unknownMethod(method: string): McpError {
  return new McpError(codes.unknownMethod, `Unknown method: ${oneLine(method)}`);
}

/** The text comes first, since it names each file: some agents show nothing else. */
function toolResult({ text, structured, images, isError }: WindowResult, version: string): object {
  const link = (file: string, mimeType: string) => ({
    ...{ type: 'resource_link', uri: pathToFileURL(file).href, name: basename(file), mimeType },
  });
  const content = images.flatMap(({ file, mimeType, data }) => [
    ...(version >= linksSince ? [link(file, mimeType)] : []),
    ...(data === undefined ? [] : [{ type: 'image', data, mimeType }]),
  ]);
  return { content: [{ type: 'text', text }, ...content], structuredContent: structured, isError };
}
