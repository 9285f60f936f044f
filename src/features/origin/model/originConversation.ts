import * as z from 'zod/mini';
import type { Log } from '../../../base/log';
import { originActions, type OriginAction, type OriginView, type ToOrigin } from '../page/originMessages';
import type { OriginStrings } from '../page/originStrings';
import { reader } from '../../../editor/pageRequests';

/** The largest message, and state, that the host accepts from the page, in characters of JSON: it names a file. */
const requestLimit = 10_000;

const fromOrigin = z.discriminatedUnion('type', [
  /** The page's script has started without any state: initially, after hiding, after moving. */
  z.strictObject({ type: z.literal('ready') }),
  /** One of the buttons. */
  z.strictObject({ type: z.literal('act'), action: z.enum(originActions) }),
]);
/** From the page to the extension host. A closed set: it can name no price, path, URL, or command. */
export type FromOrigin = z.infer<typeof fromOrigin>;
const readFromOrigin = reader(fromOrigin, requestLimit);

const kept = z.object({ file: z.string() });
/** The state that the page keeps with the editor (`setState`) for when the window reloads: the file's URI. */
export type KeptOrigin = z.infer<typeof kept>;
/** The state that was kept, or undefined if it can't be read. */
export const readKeptOrigin = reader(kept, requestLimit);

/** A conversation's dependencies on the editor and the rest of the extension. */
export interface OriginWorld {
  readonly log: Pick<Log, 'warn'>;
  readonly strings: OriginStrings;
  /** The locale for numbers. */
  readonly locale: string;
  /** How the file was made, as far as is known now; a sentence if it can't be read. Never rejects. */
  look(): Promise<OriginView | string>;
  /** Never rejects: failures are reported. */
  act(action: OriginAction): Promise<void>;
  /** Sends to the webview; lost while that is hidden. */
  post(message: ToOrigin): void;
}

/** The host's side of a page about how a file was made. Independent of the editor. */
export class OriginConversation {
  private started = false;
  /** Numbers the looks: only the latest is sent. */
  private looks = 0;
  private readonly acting = new Set<OriginAction>();

  constructor(private readonly world: OriginWorld) {}

  /** Handles a message of the webview. Never throws; unknown messages are ignored. */
  receive(data: unknown): void {
    const message = readFromOrigin(data);
    if (message?.type === 'ready') this.begin();
    else if (message) void this.act(message.action);
    else this.world.log.warn('How it was made: ignored an unknown message');
  }

  /** The file or its render may have changed. */
  refresh(): void {
    if (this.started) void this.tell();
  }

  private begin(): void {
    const { strings, locale } = this.world;
    this.started = true;
    this.world.post({ type: 'strings', strings, locale });
    void this.tell();
  }

  /** A second press does nothing while the first is being carried out: it may have asked a question. */
  private async act(action: OriginAction): Promise<void> {
    if (this.acting.has(action)) return;
    this.acting.add(action);
    await this.world.act(action);
    this.acting.delete(action);
  }

  private async tell(): Promise<void> {
    this.looks += 1;
    const look = this.looks;
    const seen = await this.world.look();
    if (look !== this.looks) return;
    this.world.post(typeof seen === 'string' ? { type: 'failed', reason: seen } : { type: 'origin', origin: seen });
  }
}
