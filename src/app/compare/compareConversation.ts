import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import { readFromCompare, type CompareDecision, type PictureView, type ToCompare } from '../../pages/compareMessages';
import type { CompareStrings } from '../../pages/compareStrings';
import type { Comparison } from './comparison';

/** What a conversation needs of the editor and of the rest of the extension. */
export interface CompareWorld {
  readonly comparison: Comparison;
  readonly log: Log;
  readonly strings: CompareStrings;
  /** The language numbers are written in. */
  readonly locale: string;
  /** The pictures as they are on the disk now, in the order of the comparison. */
  pictures(): Promise<PictureView[]>;
  /** Does what the person decided of the staged result. Never rejects: failures are told. */
  decide(decision: CompareDecision): Promise<void>;
  /** To the webview; lost while it is hidden. */
  post(message: ToCompare): void;
}

/** The host's side of a comparison: tells the page what it shows, and anew when a file has changed. Knows no editor. */
export class CompareConversation {
  private started = false;
  private deciding = false;
  /** Numbers the looks at the disk: only the latest is told. */
  private looks = 0;

  constructor(private readonly world: CompareWorld) {}

  /** A message of the webview. Never throws; what is none of the set changes nothing. */
  receive(data: unknown): void {
    const message = readFromCompare(data);
    if (message?.type === 'ready') this.begin();
    else if (message) void this.decide(message.decision);
    else this.world.log.warn('Comparison: ignored an unknown message');
  }

  /** One of the files may have changed. */
  refresh(): void {
    if (this.started) void this.tell();
  }

  private begin(): void {
    const { strings, locale } = this.world;
    this.started = true;
    this.world.post({ type: 'strings', strings, locale });
    void this.tell();
  }

  /** One thing at a time, and only where there is something to decide. */
  private async decide(decision: CompareDecision): Promise<void> {
    if (this.deciding || this.world.comparison.staged === undefined) return;
    this.deciding = true;
    await this.world.decide(decision);
    this.deciding = false;
  }

  /** Never rejects. */
  private async tell(): Promise<void> {
    this.looks += 1;
    const look = this.looks;
    const { id, mode, staged } = this.world.comparison;
    try {
      const pictures = await this.world.pictures();
      if (look === this.looks)
        this.world.post({ type: 'comparison', id, pictures, mode, isToDecide: staged !== undefined });
    } catch (error) {
      this.world.log.error(`Comparison: ${reasonOf(error)}`, error);
    }
  }
}
