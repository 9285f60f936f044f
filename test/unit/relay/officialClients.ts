import * as modern from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import assert from 'node:assert/strict';

/** A tool's result as an official client returns it. */
export interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly uri?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** An official client with the relay that it started. */
export interface Agent {
  readonly pid: number;
  tools(): Promise<string[]>;
  call(name: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<ToolAnswer>;
}

/** What the client starts, and where. */
export interface Program {
  readonly command: string;
  readonly cwd: string;
}

export type Era = '2026-07-28' | 'initialize';

/** The test after which a client is closed. */
interface Ending {
  after(close: () => unknown): unknown;
}

/** The official clients, by the era of the protocol that they support. */
export const eras: Readonly<Record<Era, (t: Ending, program: Program, name?: string) => Promise<Agent>>> = {
  '2026-07-28': async (t, program, name = 'Tester') => {
    const client = new modern.Client({ name, version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const transport = new ModernTransport({ ...program, stderr: 'inherit' });
    t.after(() => client.close());
    await client.connect(transport);
    assert.equal(client.getProtocolEra(), 'modern');
    return {
      pid: transport.pid!,
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name, input, signal) => client.callTool({ name, arguments: input }, { signal }),
    };
  },
  initialize: async (t, program, name = 'Tester') => {
    const client = new EarlierClient({ name, version: '1' });
    const transport = new EarlierTransport({ ...program, stderr: 'inherit' });
    t.after(() => client.close());
    await client.connect(transport);
    return {
      pid: transport.pid!,
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name, input, signal) =>
        client.callTool({ name, arguments: input }, undefined, { signal }) as Promise<ToolAnswer>,
    };
  },
};
