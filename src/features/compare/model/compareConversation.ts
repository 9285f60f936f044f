import * as z from 'zod/mini';
import { type Log, reasonOf } from '../../../base/log';
import {
  type CompareDecision,
  type CompareStrings,
  decisions,
  type ImageView,
  type ToCompare,
} from '../page/compareMessages';
import { reader } from '../../../editor/webviewHtml';
import { type Comparison, decisionsOn } from './comparison';

/** The largest message that the host accepts from a comparison, in characters of JSON. */
const requestLimit = 1000;

const fromCompare = z.discriminatedUnion('type', [
  /** The page's script has started without any state: initially, after hiding, after moving. */
  z.strictObject({ type: z.literal('ready') }),
  /** One of the decision buttons, and the images that were selected then, by their index. */
  z.strictObject({
    type: z.literal('decide'),
    decision: z.enum(decisions),
    selected: z.optional(z.array(z.int().check(z.nonnegative()))),
  }),
  /** What should change in one of the images, by its index. */
  z.strictObject({ type: z.literal('edit'), index: z.int().check(z.nonnegative()) }),
]);
/** From the comparison to the extension host. A closed set: it can name no price, path, URL, or command. */
export type FromCompare = z.infer<typeof fromCompare>;
const readFromCompare = reader(fromCompare, requestLimit);

/** Which comparison a page kept in the editor's state; undefined if it can't be read. */
export const readKeptCompare = reader(z.object({ id: z.string() }), requestLimit);

/** A conversation's dependencies on the editor and the rest of the extension. */
export interface CompareDeps {
  readonly comparison: Comparison;
  readonly log: Log;
  readonly strings: CompareStrings;
  /** The locale for numbers. */
  readonly locale: string;
  /** The images as they are on disk now, in the order of the comparison. */
  images(): Promise<ImageView[]>;
  /** Whether all are the same image, whatever their files say of how it was made. */
  areIdentical(): Promise<boolean>;
  /**
   * Carries out the decision, on the selected images if it's about these, by their index. Never rejects: failures are
   * reported.
   */
  decide(decision: CompareDecision, selected: readonly number[]): Promise<void>;
  /** Asks what should change in one of the images, by its index. Never rejects: failures are reported. */
  edit(index: number): Promise<void>;
  /** Sends to the webview; lost while that is hidden. */
  post(message: ToCompare): void;
}

/**
 * The host's side of a comparison: sends the page what it shows, and again when a file has changed. Independent of the
 * editor.
 */
export class CompareConversation {
  private started = false;
  private deciding = false;
  /** Numbers the reads from disk: only the latest is sent. */
  private looks = 0;

  constructor(private readonly deps: CompareDeps) {}

  /** Handles a message of the webview. Never throws; unknown messages are ignored. */
  receive(data: unknown): void {
    const message = readFromCompare(data);
    if (message?.type === 'ready') this.begin();
    else if (message?.type === 'edit') void this.deps.edit(message.index);
    else if (message) void this.decide(message.decision, message.selected);
    else this.deps.log.warn('Comparison: ignored an unknown message');
  }

  /** One of the files may have changed. */
  refresh(): void {
    if (this.started) void this.tell();
  }

  private begin(): void {
    const { strings, locale } = this.deps;
    this.started = true;
    this.deps.post({ type: 'strings', strings, locale });
    void this.tell();
  }

  /** One decision at a time, and only while there is one to make. */
  private async decide(decision: CompareDecision, selected: readonly number[] = []): Promise<void> {
    if (this.deciding || !decisionsOn(this.deps.comparison).includes(decision)) return;
    this.deciding = true;
    await this.deps.decide(decision, selected);
    this.deciding = false;
  }

  /** Never rejects. */
  private async tell(): Promise<void> {
    this.looks += 1;
    const look = this.looks;
    const { id, mode } = this.deps.comparison;
    try {
      const [images, identical] = await Promise.all([this.deps.images(), this.deps.areIdentical()]);
      const decisions = decisionsOn(this.deps.comparison);
      // There's nothing to choose between the same image twice.
      if (identical) decisions.sort((a, b) => Number(b === 'discard') - Number(a === 'discard'));
      if (look === this.looks) this.deps.post({ type: 'comparison', id, images, mode, decisions, identical });
    } catch (error) {
      this.deps.log.error(`Comparison: ${reasonOf(error)}`, error);
    }
  }
}
