import type { Disposable } from '../../base/disposable';
import type { Event } from '../../base/event';
import { frozenInputs } from '../../base/frozen';
import type { JsonObject } from '../../base/json';
import type { Random } from '../../base/random';
import type { CatalogClient } from '../../catalog/client';
import type { LiveQuote, LiveQuoteState } from '../../catalog/liveQuote';
import type { SessionState } from '../../catalog/session';
import type { PricedOrder } from '../../renders/priced';

/** A price as it stands on the screen, with all that is ordered at it but the target. */
export type Offer = Omit<PricedOrder, 'target'>;

/** Whom prices are asked of. */
type OfferClient = Pick<CatalogClient, 'account' | 'base'>;

/** A press on the last price, until the fresh one of these very inputs is known. */
interface Press {
  readonly intent: string;
  readonly inputs: JsonObject;
  readonly mostCents: number;
  readonly settle: (offer: Offer | undefined) => void;
}

/**
 * The live price of what somebody is filling in, held together with the account it was asked of and the name of the
 * render it would become: the one place that says what may be ordered at it.
 */
export class LiveOffer implements Disposable {
  readonly onDidChange: Event<LiveQuoteState>;
  /** Whom the price is asked of; an order goes to nobody else. */
  private client: OfferClient | undefined;
  private named: string;
  /** The name has been shown with a price, so other inputs or a higher price need another. */
  private isShown = false;
  private last: { readonly modelId: string; readonly costCents: number } | undefined;
  private pressed: Press | undefined;
  private lastTaken: string | undefined;

  constructor(
    private readonly quote: Pick<LiveQuote, 'ask' | 'renew' | 'state' | 'askedAt' | 'onDidChange' | 'dispose'>,
    private readonly inUse: () => OfferClient | undefined,
    private readonly random: Random,
  ) {
    this.client = inUse();
    this.named = random.uuid();
    quote.onDidChange((state) => this.quoted(state));
    this.onDidChange = quote.onDidChange;
  }

  get state(): LiveQuoteState {
    return this.quote.state;
  }

  /**
   * Names the render that would be ordered now: another with other inputs, with a higher price than was shown, and after
   * each order.
   */
  get intent(): string {
    return this.named;
  }

  /** What can be ordered now; undefined while no price is current. */
  get current(): Offer | undefined {
    const { state, client, named: intent } = this;
    if (state.status !== 'priced' && state.status !== 'notStated') return undefined;
    if (client === undefined || client !== this.inUse()) return undefined;
    const { modelId } = state;
    const inputs = frozenInputs(state.inputs);
    const shownCents = state.status === 'priced' ? state.costCents : undefined;
    const asked = { client, at: this.quote.askedAt };
    return { intent, modelId, inputs, shownCents, account: client.account, asked };
  }

  /** The last price of this model, to be shown as such while a fresh one is asked for; undefined at any other time. */
  get lastCents(): number | undefined {
    return this.state.status === 'asking' && this.client === this.inUse() ? this.last?.costCents : undefined;
  }

  /** The inputs are these now; undefined while they are not valid. */
  ask(modelId: string, inputs: JsonObject | undefined): void {
    this.quote.ask(modelId, inputs && frozenInputs(inputs));
  }

  /** Forgets every price and asks again. */
  renew(): void {
    this.quote.renew();
  }

  /**
   * To be called when the session changed. True when another account is in use: then prices are asked again, of that
   * one.
   */
  follow(): boolean {
    const client = this.inUse();
    if (client === this.client) return false;
    const { account, base } = this.client ?? {};
    this.client = client;
    this.last = undefined;
    this.settle(undefined);
    this.quote.renew();
    return client?.account !== account || client?.base !== base;
  }

  /** To be called when the session changed: asks again for a price that failed for a reason that is over now. */
  tryAgain({ status, quietUntil }: SessionState): void {
    const { state } = this;
    if (state.status !== 'failed') return;
    const { kind } = state.error;
    const isBack = kind === 'noAnswer' && status === 'connected';
    const isFree = kind === 'tooManyRequests' && quietUntil === undefined;
    if (isBack || isFree) this.quote.renew();
  }

  /** Hands out the offer of this intent, once. Undefined when that is not what can be ordered now. */
  take(intent: string): Offer | undefined {
    const offer = this.current;
    if (offer?.intent !== intent) return undefined;
    this.lastTaken = intent;
    this.named = this.random.uuid();
    return offer;
  }

  /**
   * Like `take`, for a press on the last price: waits for the fresh one, and hands out the offer only if it is the same
   * or lower. Undefined when it is not, when there is none, or when the inputs or the account change before it is known.
   */
  async takeFresh(intent: string): Promise<Offer | undefined> {
    const { state, lastCents: mostCents } = this;
    if (state.status !== 'asking' || mostCents === undefined || intent !== this.named) return this.take(intent);
    this.settle(undefined);
    this.lastTaken = intent;
    return new Promise((settle) => (this.pressed = { intent, inputs: state.inputs, mostCents, settle }));
  }

  /** True for the offer handed out last: pressing for it again is the same press. */
  isTaken(intent: string): boolean {
    return intent === this.lastTaken;
  }

  dispose(): void {
    this.settle(undefined);
    this.quote.dispose();
  }

  private quoted(state: LiveQuoteState): void {
    this.name(state);
    const { pressed } = this;
    if (pressed && !(state.status === 'asking' && state.inputs === pressed.inputs)) {
      const isCovered = state.status === 'priced' && state.inputs === pressed.inputs && !this.isHigher(state);
      this.settle(isCovered ? this.take(pressed.intent) : undefined);
    }
    if (state.status !== 'asking') this.last = state.status === 'priced' ? state : undefined;
    else if (this.last?.modelId !== state.modelId) this.last = undefined;
  }

  /** The name of a price that was only awaited is kept for it, so that a press for it meanwhile is a press for it. */
  private name(state: LiveQuoteState): void {
    const isPrice = state.status === 'priced' || state.status === 'notStated';
    if (!isPrice && state.status !== 'asking') return;
    if (this.isShown || this.isHigher(state)) this.named = this.random.uuid();
    this.isShown = isPrice;
  }

  private isHigher(state: LiveQuoteState): boolean {
    if (this.last === undefined || state.status === 'asking') return false;
    return state.status !== 'priced' || state.costCents > this.last.costCents;
  }

  private settle(offer: Offer | undefined): void {
    const { pressed } = this;
    this.pressed = undefined;
    pressed?.settle(offer);
  }
}
