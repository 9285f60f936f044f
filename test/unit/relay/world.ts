import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { AgentCall, AgentResult, AgentTools } from '../../../src/features/agents/model/agentTools';
import { type Log, silentLog } from '../../../src/base/log';
import type { Clock } from '../../../src/base/clock';
import { openWindows, windowsFolder, type WindowFile } from '../../../src/relay/windowFiles';
import { WindowServer } from '../../../src/relay/windowServer';
import { TestClock } from '../clock';

/** A folder that is removed after the test. */
export function newFolder(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'model-catalog-test-')));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Tools in name only: the test decides what a call does. */
export function toolsThat(call: (name: string, input: unknown, call: AgentCall) => Promise<AgentResult>): AgentTools {
  const inputSchema = { type: 'object', properties: { prompt: { type: 'string' } } };
  const tools = ['listModels', 'quote', 'render', 'checkRenders', 'findMissingImages'].map((name) => ({
    ...{ name, description: `Does ${name}`, inputSchema },
  }));
  return { tools, call };
}

/** The URL of the test's windows. */
export const pendingPage = 'vscode://model-catalog.model-catalog/pending?windowId=1';

export interface OpenedWindow {
  readonly server: WindowServer;
  /** What relays find of it. */
  readonly file: WindowFile;
}

export async function openWindow(
  t: TestContext,
  storage: string,
  tools: AgentTools | (() => Promise<AgentTools>),
  { folders = [storage], clock = new TestClock(), log = silentLog }: Opening = {},
): Promise<OpenedWindow> {
  const page = () => Promise.resolve(pendingPage);
  const load = typeof tools === 'function' ? tools : () => Promise.resolve(tools);
  const options = { storage, folders: () => folders, tools: load, page, clock, log };
  const server = await WindowServer.open(options);
  t.after(() => server.dispose());
  const [file] = openWindows(windowsFolder(storage));
  if (!file) throw new Error('the window wrote no file');
  return { server, file };
}

interface Opening {
  readonly folders?: string[];
  readonly clock?: Clock;
  readonly log?: Log;
}

/** Sends the text to a window, and resolves with everything it sends until it closes. */
export function sayTo({ socket: path }: WindowFile, text: string): Promise<string> {
  return heardFrom(
    connect(path, function (this: Socket) {
      this.write(text);
    }),
  );
}

/** Everything that arrives until the other side closes. */
export function heardFrom(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => (heard += text));
    socket.on('error', () => {});
    socket.on('close', () => resolve(heard));
  });
}
