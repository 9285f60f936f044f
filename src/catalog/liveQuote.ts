import { momentOf, type Clock, type Moment } from '../base/clock';
import type { Disposable } from '../base/disposable';
import { isAbort } from '../base/errors';
import { Emitter } from '../base/event';
import type { JsonObject } from '../base/json';
import { ServiceError } from './errors';
import { questionOf, QuoteMemory, type Remembered } from './quotes';
import type { Quote } from './types';

/**
 * The price of inputs as known now; it always belongs to these `inputs`.
 * `none` no inputs, or not valid · `asking` requested, no price is current · `priced` · `notStated`
 * the service answered without a readable price · `failed`.
 */
export type LiveQuoteState =
  | { readonly status: 'none' }
  | { readonly status: 'asking' | 'notStated'; readonly modelId: string; readonly inputs: JsonObject }
  | { readonly status: 'priced'; readonly modelId: string; readonly inputs: JsonObject; readonly costCents: number }
  | { readonly status: 'failed'; readonly modelId: string; readonly inputs: JsonObject; readonly error: ServiceError };

/** Requests a price from the service: `CatalogClient.quote` of the client in use. */
export type AskQuote = (modelId: string, inputs: JsonObject, signal: AbortSignal) => Promise<Quote>;

export interface LiveQuoteOptions {
  /** How long the inputs must stay unchanged before they're priced, ms; read on every edit. */
  readonly debounceMs?: number | (() => number);
  /** How long a price may be shown again for the same inputs without a new request, ms. */
  readonly rememberMs?: number;
}

/** The live price of a form. Never shows a price for inputs other than the latest. */
export class LiveQuote implements Disposable {
  private readonly changed = new Emitter<LiveQuoteState>();
  readonly onDidChange = this.changed.event;
  private current: LiveQuoteState = { status: 'none' };
  private currentAskedAt: Moment | undefined;
  private readonly memory: QuoteMemory;
  private readonly debounceMs: () => number;
  private pending: Disposable | undefined;
  private request: AbortController | undefined;

  constructor(
    private readonly quote: AskQuote,
    private readonly clock: Clock,
    { debounceMs = 250, rememberMs }: LiveQuoteOptions = {},
  ) {
    this.debounceMs = typeof debounceMs === 'number' ? () => debounceMs : debounceMs;
    this.memory = new QuoteMemory(clock, rememberMs);
  }

  get state(): LiveQuoteState {
    return this.current;
  }

  /** When the current price was requested; undefined while none is current. */
  get askedAt(): Moment | undefined {
    const { status } = this.current;
    return status === 'priced' || status === 'notStated' ? this.currentAskedAt : undefined;
  }

  /**
   * Sets the inputs; undefined while they aren't valid. The same inputs change nothing, unless their price failed.
   * `atOnce` if nobody is still typing, as after a paste or a choice: then the price is requested without a pause.
   */
  ask(modelId: string, inputs: JsonObject | undefined, atOnce = false): void {
    if (inputs && this.isCurrent(modelId, inputs)) return atOnce ? this.hurry(modelId, inputs) : undefined;
    this.drop();
    if (!inputs) return this.become({ status: 'none' });
    const known = this.memory.recall(questionOf(modelId, inputs));
    if (known) return this.answered(modelId, inputs, known);
    if (!atOnce) this.pending = this.clock.after(this.debounceMs(), () => void this.send(modelId, inputs));
    this.become({ status: 'asking', modelId, inputs });
    if (atOnce) void this.send(modelId, inputs);
  }

  /** Forgets every price and requests the current one again: prices or the account may have changed. */
  renew(): void {
    this.memory.clear();
    if (this.current.status === 'none') return;
    const { modelId, inputs } = this.current;
    this.drop();
    this.current = { status: 'none' };
    this.ask(modelId, inputs, true);
  }

  dispose(): void {
    this.drop();
    this.changed.dispose();
  }

  /** They haven't changed for long enough. */
  private hurry(modelId: string, inputs: JsonObject): void {
    if (!this.pending) return;
    this.pending.dispose();
    void this.send(modelId, inputs);
  }

  /** Never rejects: a failure becomes the state. */
  private async send(modelId: string, inputs: JsonObject): Promise<void> {
    this.pending = undefined;
    const request = new AbortController();
    this.request = request;
    const askedAt = momentOf(this.clock);
    try {
      const quote = await this.quote(modelId, inputs, request.signal);
      if (this.request !== request) return;
      const remembered = { quote, askedAt };
      this.memory.remember(questionOf(modelId, inputs), remembered);
      this.answered(modelId, inputs, remembered);
    } catch (cause) {
      if (this.request !== request) return;
      this.become({ status: 'failed', modelId, inputs, error: serviceErrorOf(cause) });
    }
  }

  private answered(modelId: string, inputs: JsonObject, { quote: { costCents }, askedAt }: Remembered): void {
    this.currentAskedAt = askedAt;
    this.become(
      costCents === undefined
        ? { status: 'notStated', modelId, inputs }
        : { status: 'priced', modelId, inputs, costCents },
    );
  }

  private become(state: LiveQuoteState): void {
    if (this.current.status === 'none' && state.status === 'none') return;
    this.current = state;
    this.changed.fire(state);
  }

  /** Ignores the responses to earlier requests. */
  private drop(): void {
    this.pending?.dispose();
    this.pending = undefined;
    this.request?.abort();
    this.request = undefined;
  }

  private isCurrent(modelId: string, inputs: JsonObject): boolean {
    const { current } = this;
    if (current.status === 'none' || current.status === 'failed') return false;
    if (current.modelId !== modelId || JSON.stringify(current.inputs) !== JSON.stringify(inputs)) return false;
    return current.status === 'asking' || this.memory.recall(questionOf(modelId, inputs)) !== undefined;
  }
}

function serviceErrorOf(cause: unknown): ServiceError {
  if (cause instanceof ServiceError) return cause;
  return new ServiceError(isAbort(cause) ? 'cancelled' : 'noAnswer', 'Couldn’t get the price', { cause });
}
