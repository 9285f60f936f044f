import type { Disposable } from '../../base/disposable';
import type { Event } from '../../base/event';
import { frozenInputs } from '../../base/frozen';
import type { JsonObject } from '../../base/json';
import type { Random } from '../../base/random';
import type { CatalogClient } from '../../catalog/client';
import type { LiveQuote, LiveQuoteState } from '../../catalog/liveQuote';
import { Seeds } from '../../catalog/seeds';
import type { SessionState } from '../../catalog/session';
import type { Model } from '../../catalog/types';
import type { PricedOrder } from '../../renders/priced';

/** A price as it stands on the screen, with all that is ordered at it but the target. */
export type Offer = Omit<PricedOrder, 'target'>;

/** Whom prices are asked of. */
type OfferClient = Pick<CatalogClient, 'account' | 'base'>;

interface ShownPrice {
  readonly modelId: string;
  readonly costCents: number;
}

/** A press on the last price, until the fresh one of these very inputs is known. */
interface Press extends ShownPrice {
  readonly intent: string;
  readonly inputs: JsonObject;
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
  private readonly seeds: Seeds;
  private wasShown = false;
  private shown: ShownPrice | undefined;
  /** The one before, with its name: a press on it may still be on its way when the fresh one is known. */
  private last: (ShownPrice & { readonly intent: string }) | undefined;
  private pressed: Press | undefined;
  private lastTaken: string | undefined;

  constructor(
    private readonly quote: Pick<LiveQuote, 'ask' | 'renew' | 'state' | 'askedAt' | 'onDidChange' | 'dispose'>,
    private readonly inUse: () => OfferClient | undefined,
    private readonly random: Random,
  ) {
    this.client = inUse();
    this.named = random.uuid();
    this.seeds = new Seeds(random);
    quote.onDidChange((state) => this.quoted(state));
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

  /** The last price of this model, while a fresh one is asked for: to be shown as such. Undefined at any other time. */
  get lastCents(): number | undefined {
    return this.state.status === 'asking' && this.client === this.inUse() ? this.last?.costCents : undefined;
  }

  /**
   * The inputs are these now; undefined while they are not valid. Seeds among the fields that they leave out are drawn,
   * other ones for each order. `atOnce` as `LiveQuote.ask` says.
   */
  ask({ id, fields }: Pick<Model, 'id' | 'fields'>, inputs: JsonObject | undefined, atOnce = false): void {
    this.quote.ask(id, inputs && frozenInputs(this.seeds.fill(id, fields, inputs)), atOnce);
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
    this.shown = this.last = undefined;
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
    this.seeds.renew();
    return offer;
  }

  /**
   * Like `take`, also for a press on the last price, by its name: waits for the fresh one, and hands out the offer only
   * if that is the same or lower. Undefined when it is not, or when inputs or account change before it is known.
   */
  async takeFresh(intent: string): Promise<Offer | undefined> {
    const { state, last } = this;
    if (intent === this.named && this.current) return this.take(intent);
    if (intent !== last?.intent || this.isTaken(intent) || state.status === 'none') return undefined;
    const offer = new Promise<Offer | undefined>((settle) => {
      this.pressed = { ...last, inputs: state.inputs, settle };
    });
    this.lastTaken = intent;
    this.decide(state);
    return offer;
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
    const intent = this.named;
    this.name(state);
    const { shown } = this;
    this.shown = state.status === 'priced' ? state : undefined;
    if (state.status !== 'asking' && state.status !== 'priced') this.last = undefined;
    else if (shown) this.last = { ...shown, intent };
    if (state.status !== 'none' && this.last?.modelId !== state.modelId) this.last = undefined;
    this.decide(state);
  }

  private name({ status }: LiveQuoteState): void {
    if (status !== 'priced' && status !== 'notStated') return;
    if (this.wasShown) this.named = this.random.uuid();
    this.wasShown = true;
  }

  /** What becomes of the press that waits, if it can be said. */
  private decide(state: LiveQuoteState): void {
    const { pressed } = this;
    if (!pressed) return;
    const isMeant = state.status !== 'none' && state.inputs === pressed.inputs;
    if (isMeant && state.status === 'asking') return;
    const isCovered = isMeant && state.status === 'priced' && state.costCents <= pressed.costCents;
    this.settle(isCovered ? this.take(this.named) : undefined);
  }

  /** A press that came to nothing can be made again; one that ordered is the same press ever after. */
  private settle(offer: Offer | undefined): void {
    const { pressed } = this;
    if (!pressed) return;
    this.pressed = undefined;
    this.lastTaken = offer && pressed.intent;
    if (offer) this.last = undefined;
    pressed.settle(offer);
  }
}
