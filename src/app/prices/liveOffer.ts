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

/**
 * The live price of what somebody is filling in, held together with the account it was asked of and the name of the
 * render it would become: the one place that says what may be ordered at it.
 */
export class LiveOffer implements Disposable {
  readonly onDidChange: Event<LiveQuoteState>;
  /** Whom the price is asked of; an order goes to nobody else. */
  private client: OfferClient | undefined;
  private named: string;
  private wasShown = false;
  private lastTaken: string | undefined;

  constructor(
    private readonly quote: Pick<LiveQuote, 'ask' | 'renew' | 'state' | 'askedAt' | 'onDidChange' | 'dispose'>,
    private readonly inUse: () => OfferClient | undefined,
    private readonly random: Random,
  ) {
    this.client = inUse();
    this.named = random.uuid();
    quote.onDidChange((state) => this.name(state));
    this.onDidChange = quote.onDidChange;
  }

  get state(): LiveQuoteState {
    return this.quote.state;
  }

  /** Names the render that would be ordered now: another with each price, and after each order. */
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

  /** True for the offer handed out last: pressing for it again is the same press. */
  isTaken(intent: string): boolean {
    return intent === this.lastTaken;
  }

  dispose(): void {
    this.quote.dispose();
  }

  private name({ status }: LiveQuoteState): void {
    if (status !== 'priced' && status !== 'notStated') return;
    if (this.wasShown) this.named = this.random.uuid();
    this.wasShown = true;
  }
}
