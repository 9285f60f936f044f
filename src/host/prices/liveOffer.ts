import type { Disposable } from '../../base/disposable';
import type { Event } from '../../base/event';
import type { JsonObject } from '../../base/json';
import type { Random } from '../../base/random';
import type { LiveQuote, LiveQuoteState } from '../../catalog/liveQuote';
import type { SessionState } from '../../catalog/session';
import type { Order } from '../../renders/record';

/** A price as it stands on the screen, with all that is ordered at it but the target. */
export type Offer = Omit<Order, 'target'>;

/**
 * The live price of what somebody is filling in, held together with the account it was asked of and the name of the render it
 * would become: the one place that says what may be ordered at it.
 */
export class LiveOffer implements Disposable {
  readonly onDidChange: Event<LiveQuoteState>;
  /** Whom the price is asked of; an order goes to nobody else. */
  private account: string | undefined;
  private named: string;
  private wasShown = false;
  private lastTaken: string | undefined;

  constructor(
    private readonly quote: Pick<LiveQuote, 'ask' | 'renew' | 'state' | 'onDidChange' | 'dispose'>,
    private readonly accountInUse: () => string | undefined,
    private readonly random: Random,
  ) {
    this.account = accountInUse();
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
    const { state, account } = this;
    if (state.status !== 'priced' && state.status !== 'notStated') return undefined;
    if (account === undefined || account !== this.accountInUse()) return undefined;
    const { modelId, inputs } = state;
    const shownCents = state.status === 'priced' ? state.costCents : undefined;
    return { intent: this.named, modelId, inputs, shownCents, account };
  }

  /** The inputs are these now; undefined while they are not valid. */
  ask(modelId: string, inputs: JsonObject | undefined): void {
    this.quote.ask(modelId, inputs);
  }

  /** Forgets every price and asks again. */
  renew(): void {
    this.quote.renew();
  }

  /** To be called when the session changed. True when another account is in use: then prices are asked anew, of that one. */
  follow(): boolean {
    const account = this.accountInUse();
    if (account === this.account) return false;
    this.account = account;
    this.quote.renew();
    return true;
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
