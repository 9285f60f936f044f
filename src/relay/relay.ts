import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { isAbsolute, join } from 'node:path';
import * as z from 'zod/mini';
import type { Clock } from '../base/clock';
import { wait } from '../base/concurrency';
import { oneLine } from '../base/plain';
import { toolsFile } from './launcher';
import { eachLine, jsonIn, lineOf, longestSaying, sayingSchema, type WindowCall, type WindowResult } from './wire';
import { isOwnSocket, openWindows, type WindowFile, windowsAround, windowsFolder } from './windowFiles';

/** Agents give up on a tool after a minute, some sooner, ms. */
const answeredWithin = 45_000;
/** Reserved for the round trip to the window, ms. */
const wayMs = 2_000;

/** A parameter that every tool has in addition to the window's. */
const project = {
  type: 'string',
  description:
    'Absolute path of the folder you work in, if it isn’t the working directory. Relative paths start there.',
};

const toolsSchema = z.array(
  z.object({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.unknown()) }),
);

export type Tool = z.infer<typeof toolsSchema>[number];

/** What a window is asked; its token is added last. */
type Call = Omit<WindowCall, 'token'>;

/** The caller, and its progress callback. */
export interface Caller {
  readonly agent: string;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Connects an agent with the window that has its project open. It has no key, and decides nothing. */
export class Relay {
  /** `storage` is the extension's; `workingFolder` is the default project. */
  constructor(
    private readonly storage: string,
    private readonly workingFolder: string | undefined,
    private readonly clock: Clock,
  ) {}

  /** The tools of the window that opened last; none before the first. */
  tools(): Tool[] {
    const tools = toolsSchema.safeParse(jsonIn(readText(join(this.storage, toolsFile)))).data ?? [];
    return tools.map((tool) => ({ ...tool, inputSchema: withProject(tool.inputSchema) }));
  }

  /** Always resolves, within 45 s; a missing result is explained in words. */
  async call(
    name: string,
    { project: given, ...input }: Record<string, unknown>,
    caller: Caller,
  ): Promise<WindowResult> {
    if (given !== undefined && (typeof given !== 'string' || !isAbsolute(given)))
      return words('`project` must be the absolute path of a folder. Nothing was charged.');
    const folder = given ?? this.workingFolder;
    if (folder === undefined) return words(nowhereWords);
    const call = { name, input, agent: caller.agent, folder, answerWithin: answeredWithin - wayMs };
    const done = new AbortController();
    const signal = AbortSignal.any([caller.signal, done.signal]);
    const tooLate = wait(this.clock, answeredWithin, signal).then(
      () => words(tooLateWords),
      () => words('The call was canceled.'),
    );
    const result = await Promise.race([this.ask(folder, call, signal, caller.progress), tooLate]);
    done.abort();
    return result;
  }

  private async ask(folder: string, call: Call, signal: AbortSignal, progress: Progress): Promise<WindowResult> {
    for (const window of windowsAround(folder, openWindows(windowsFolder(this.storage)))) {
      const result: WindowResult | NoResult = await askWindow(window, call, signal, progress);
      if (result === 'closed') return words(closedWords);
      if (result !== 'notReached') return result;
    }
    return words(noWindowWords(folder));
  }
}

const nowhereWords =
  'The working directory doesn’t exist anymore. Pass the project’s folder as `project`. Nothing was charged.';

const closedWords =
  'The window closed. What was paid for is kept, and will be saved when it opens again. Call checkRenders.';

const tooLateWords =
  'VS Code isn’t responding. What was paid for is kept. Call checkRenders before you render anything again.';

/** A folder may be called anything, and is one line of what an agent reads. It hears of no other open folder. */
function noWindowWords(folder: string): string {
  return `${oneLine(folder, 1000)} isn’t open in VS Code. Open this project in VS Code. Nothing was charged.`;
}

/** A message from the relay itself. */
function words(text: string): WindowResult {
  return { text, images: [], isError: true };
}

function withProject(schema: Record<string, unknown>): Record<string, unknown> {
  return { ...schema, properties: { ...(schema.properties as object | undefined), project } };
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // No window has written it yet.
    return undefined;
  }
}

/** Why a window returned no result: it never got the call, or closed after it did. */
type NoResult = 'notReached' | 'closed';

/** Receives progress reports. While a user is asked in a window, `page` is the URL that brings it to the front. */
type Progress = (words: string, page?: string) => void;

/**
 * Sends a call to a window over its socket. Resolves with its result, or why there is none. Aborting the signal tells
 * the window, and no result follows.
 */
export function askWindow(
  { socket: path, token }: WindowFile,
  call: Call,
  signal: AbortSignal,
  progress: Progress,
): Promise<WindowResult | NoResult> {
  // Before the token and the call's words are sent.
  if (!isOwnSocket(path)) return Promise.resolve('notReached');
  return new Promise((resolve) => {
    const socket = connect(path);
    let isHeard = false;
    const breakOff = () => socket.destroy();
    signal.addEventListener('abort', breakOff, { once: true });
    socket.on('error', () => {});
    socket.on('close', () => {
      signal.removeEventListener('abort', breakOff);
      resolve(isHeard ? 'closed' : 'notReached');
    });
    eachLine(socket, longestSaying, (line) => {
      const saying = sayingSchema.safeParse(jsonIn(line)).data;
      if (!saying) return socket.destroy();
      if ('heard' in saying) isHeard = true;
      else if ('progress' in saying) progress(saying.progress, saying.page);
      else {
        resolve(saying.result);
        socket.destroy();
      }
    });
    socket.write(lineOf({ token, ...call }));
    if (signal.aborted) breakOff();
  });
}
