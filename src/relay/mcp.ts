// The tools are known only as JSON Schema, which the library’s newer interface doesn’t take; what it calls deprecated
// beyond that exists only in sessions, which many agents still open.
/* eslint-disable @typescript-eslint/no-deprecated */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CLIENT_INFO_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport, type StdioServerHandle } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '../base/clock';
import { type Disposable, Disposables } from '../base/disposable';
import { isObject } from '../base/json';
import { oneLine } from '../base/plain';
import type { Caller, Relay } from './relay';
import { longestCall, type WindowResult } from './wire';

/** The version without sessions: each request states its client and version. */
const sessionless = '2026-07-28';
/** The first version with links to files. */
const linksSince = '2025-06-18';

const progressMs = 5_000;
/** How long a user may take before the agent is offered the window's page, ms. */
const offerMs = 2_000;
/** How long a client may cache the list of tools, ms. */
const listMs = 60_000;

const instructions =
  'Renders images and text with the models of the user’s account. Every price is exact, and the user confirms ' +
  'it in VS Code before anything is spent. Quote first, and render several items in one call. A render with the ' +
  'status pending, waitingForApproval, or rendering continues on its own: call checkRenders, and never render it ' +
  'again.';

/** What an agent can call. */
type Called = Pick<Relay, 'tools' | 'call'>;

/**
 * Serves one agent over standard input and output, until it's gone: only tools, in the versions of the Model Context
 * Protocol with and without sessions. `version` is the extension's.
 */
export function serveAgent(
  relay: Called,
  version: string,
  clock: Clock,
  transport: Transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: longestCall }),
): StdioServerHandle {
  return serveStdio(() => toolServer(relay, version, clock), { transport });
}

function toolServer(relay: Called, version: string, clock: Clock): Server {
  const server = new Server(
    { name: 'model-catalog', title: 'Model Catalog', version },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { 'tools/list': { ttlMs: listMs, cacheScope: 'private' } },
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: relay.tools().map(({ inputSchema, ...tool }) => ({
      ...tool,
      inputSchema: { ...inputSchema, type: 'object' as const },
      annotations: { readOnlyHint: tool.name !== 'render' },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: given = {} } = params;
    if (!relay.tools().some((tool) => tool.name === name))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${oneLine(name)}`);
    const { agent, version, opensPages } = clientOf(server, context);
    const own = new Disposables();
    const progress = own.add(new ProgressReports(context, clock));
    const hear: Caller['progress'] = (words, page) => {
      progress.latest = words;
      if (page !== undefined && opensPages) own.add(clock.after(offerMs, () => offer(context, page)));
    };
    try {
      const { signal } = context.mcpReq;
      return toolResult(await relay.call(name, given, { agent, signal, progress: hear }), version);
    } finally {
      own.dispose();
    }
  });
  return server;
}

/** The client and its version. */
interface Client {
  readonly agent: string;
  readonly version: string;
  /** It can offer a user to open a page. Only in sessions: the other protocol would need a second call. */
  readonly opensPages: boolean;
}

function clientOf(server: Server, { mcpReq }: ServerContext): Client {
  const { envelope } = mcpReq;
  if (envelope) {
    const { [CLIENT_INFO_META_KEY]: info } = envelope as Readonly<Record<string, unknown>>;
    const name = isObject(info) && typeof info.name === 'string' ? info.name : undefined;
    return { agent: agentOf(name), version: sessionless, opensPages: false };
  }
  // Sessions state these once.
  const version = server.getNegotiatedProtocolVersion() ?? '';
  const opensPages = server.getClientCapabilities()?.elicitation?.url !== undefined;
  return { agent: agentOf(server.getClientVersion()?.name), version, opensPages };
}

function agentOf(name = 'unknown'): string {
  return oneLine(name, 60);
}

/** Offers the page on which a user is asked. The client's response decides nothing. */
function offer({ mcpReq }: ServerContext, url: string): void {
  const message = 'VS Code is asking whether to pay for a render. Open its window to decide.';
  const page = { mode: 'url' as const, elicitationId: `page-${mcpReq.id}`, url, message };
  mcpReq.elicitInput(page).catch(() => {});
}

/** Sends progress to a client that asked for it every five seconds, with the latest message. */
class ProgressReports implements Disposable {
  latest: string | undefined;
  private count = 0;
  private timer: Disposable | undefined;

  constructor(
    private readonly context: ServerContext,
    private readonly clock: Clock,
  ) {
    this.wait();
  }

  dispose(): void {
    this.timer?.dispose();
  }

  private wait(): void {
    const { mcpReq } = this.context;
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    this.timer = this.clock.after(progressMs, () => {
      if (mcpReq.signal.aborted) return;
      this.count++;
      const params = { progressToken, progress: this.count, message: this.latest };
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
      this.wait();
    });
  }
}

/** The text comes first, since it names each file: some agents show nothing else. */
function toolResult({ text, structured, images, isError }: WindowResult, version: string) {
  const content = images.flatMap(({ file, mimeType, data }) => [
    ...(version >= linksSince
      ? [{ type: 'resource_link' as const, uri: pathToFileURL(file).href, name: basename(file), mimeType }]
      : []),
    ...(data === undefined ? [] : [{ type: 'image' as const, data, mimeType }]),
  ]);
  return { content: [{ type: 'text' as const, text }, ...content], structuredContent: structured, isError };
}
