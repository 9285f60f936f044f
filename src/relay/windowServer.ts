import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { hostname } from 'node:os';
import type { AgentImage, AgentResult, AgentTools } from '../features/agents/model/agentTools';
import type { Clock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { type Log, reasonOf } from '../base/log';
import {
  callSchema,
  eachLine,
  jsonIn,
  lineOf,
  longestCall,
  type WindowCall,
  type WindowResult,
  type WindowSaying,
} from './wire';
import { forgetDeadWindows, removeWindow, socketPlaces, windowsFolder, writeWindow } from './windowFiles';

/** How long a connection may take to send its call, ms. */
const patienceMs = 5_000;
/** The most concurrent connections. */
const mostConnections = 32;
/** Larger images are passed as paths only. Bytes. */
const largestImage = 400_000;
/** Formats that the agents' models accept. */
const visible = /^image\/(?:png|jpeg|webp|gif)$/;
/** The most bytes of images in one result. */
const mostImages = 1_200_000;

export interface WindowOptions {
  /** The extension's storage. */
  readonly storage: string;
  /** Absolute paths of the window's open folders. */
  folders(): readonly string[];
  tools(): Promise<AgentTools>;
  /** A URL that brings the window to the front. */
  page(): Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A window's server for tools of outside agents. Callers without its token get nothing. */
export class WindowServer implements Disposable {
  private readonly token = randomBytes(32).toString('base64url');
  private readonly connections = new Set<Socket>();
  private readonly folder: string;
  private readonly since: number;

  /** Listens, and writes the file that lets relays find the window. Rejects when the system allows no socket. */
  static async open(options: WindowOptions): Promise<WindowServer> {
    let problem: unknown;
    // Not every disk can hold a socket.
    for (const place of socketPlaces(windowsFolder(options.storage))) {
      const window = new WindowServer(options, createServer(), place);
      try {
        await window.listen();
        return window;
      } catch (error) {
        problem = error;
        window.dispose();
      }
    }
    throw problem;
  }

  private constructor(
    private readonly options: WindowOptions,
    private readonly server: Server,
    private readonly socket: string,
  ) {
    this.folder = windowsFolder(options.storage);
    this.since = options.clock.now();
    server.maxConnections = mostConnections;
    server.on('connection', (socket) => this.hear(socket));
  }

  /** Writes the file again, since its folders may have changed. */
  announce(): void {
    const { pid } = process;
    const { socket, token, since } = this;
    writeWindow(this.folder, { pid, host: hostname(), socket, token, folders: [...this.options.folders()], since });
  }

  dispose(): void {
    removeWindow(this.folder, { pid: process.pid, socket: this.socket });
    this.server.close();
    for (const socket of this.connections) socket.destroy();
  }

  private async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.socket, resolve);
    });
    forgetDeadWindows(this.folder);
    this.announce();
  }

  /** Each connection carries one call. */
  private hear(socket: Socket): void {
    this.connections.add(socket);
    const patience = this.options.clock.after(patienceMs, () => socket.destroy());
    let isHeard = false;
    socket.on('error', () => {});
    socket.on('close', () => {
      patience.dispose();
      this.connections.delete(socket);
    });
    eachLine(socket, longestCall, (line) => {
      const call = callSchema.safeParse(jsonIn(line)).data;
      if (isHeard || !call || !isSameToken(call.token, this.token)) return socket.destroy();
      isHeard = true;
      patience.dispose();
      void this.answer(socket, call);
    });
  }

  private async answer(socket: Socket, { name, input, agent, folder, answerWithin }: WindowCall): Promise<void> {
    const gone = new AbortController();
    const late = new AbortController();
    // Loading the tools is part of the time.
    const due = this.options.clock.after(answerWithin, () => late.abort());
    const giveUp = () => gone.abort();
    socket.on('close', giveUp);
    const say = (saying: WindowSaying) => socket.writable && socket.write(lineOf(saying));
    const progress = (words: string) => say({ progress: words });
    const asks = () => void this.sayAsking(say);
    say({ heard: true });
    try {
      const tools = await this.options.tools();
      const caller = { agent, folder, progress, asks, signal: gone.signal, late: late.signal };
      const result = await tools.call(name, input, caller);
      // The caller closes it once it has the result, which may be that the user is still being asked: a later yes
      // counts.
      socket.off('close', giveUp);
      say({ result: toWire(result) });
    } catch (error) {
      this.options.log.error(`Tool ${name}: ${reasonOf(error)}`);
      say({ result: { text: `Model Catalog couldn't do this: ${reasonOf(error)}`, images: [], isError: true } });
    } finally {
      due.dispose();
    }
    socket.end();
  }

  private async sayAsking(say: (saying: WindowSaying) => unknown): Promise<void> {
    const page = await this.options.page().catch(() => undefined);
    say({ progress: 'Asking for approval', page });
  }
}

/** Compares in constant time. */
function isSameToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function toWire({ text, structured, images = [], isError }: AgentResult): WindowResult {
  let left = mostImages;
  const travels = ({ data, mimeType }: AgentImage) => {
    if (!visible.test(mimeType) || data.length > Math.min(largestImage, left)) return false;
    left -= data.length;
    return true;
  };
  return {
    text,
    structured: structured && { ...structured },
    images: images.map((image) => ({
      file: image.file,
      mimeType: image.mimeType,
      data: travels(image) ? Buffer.from(image.data).toString('base64') : undefined,
    })),
    isError,
  };
}
