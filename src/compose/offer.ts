/**
 * **Offer**: inputs with their price, frozen, ready to be ordered once.
 *
 * While somebody edits, LiveOffer keeps the price of what is there now, and gives it an intent, the identity of the
 * order it would become. A press orders what is there now, at the price on screen or less, or nothing. A press while
 * the price is being requested waits for it; a higher price, other inputs since the press, or another account end it.
 * The same intent twice is one order. The form and Quick Render use it; the order itself goes to `renders/orders.ts`.
 */

import { systemClock } from '../base/clock';
import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import { frozenInputs } from '../base/frozen';
import type { JsonObject } from '../base/json';
import type { Random } from '../base/random';
import type { CatalogClient } from '../catalog/client';
import { ServiceError } from '../catalog/errors';
import { Seeds } from '../catalog/fields';
import { type AskQuote, LiveQuote, type LiveQuoteOptions, type LiveQuoteState } from '../catalog/liveQuote';
import type { Quotes } from '../catalog/quotes';
import type { Session, SessionState } from '../catalog/session';
import type { Model } from '../catalog/types';
import type { PricedOrder } from '../renders/priced';
import type { Target } from '../renders/record';
import type { PriceOf } from './variantOffer';

/** A price on screen, with everything that would be ordered at it except the target. */
export type Offer = Omit<PricedOrder, 'target'>;

/** The client that prices are requested from. */
type OfferClient = Pick<CatalogClient, 'account' | 'base'>;

interface ShownPrice {
  readonly modelId: string;
  readonly costCents: number;
}

/** A press on the last price, until the fresh price of these inputs is known. */
interface Press extends ShownPrice {
  readonly intent: string;
  readonly inputs: JsonObject;
  readonly settle: (offer: Offer | undefined) => void;
}

/**
 * The live price of inputs being edited, together with the account it's from and the intent of the render it would
 * become. The only place that says what may be ordered at which price.
 */
export class LiveOffer implements Disposable {
  readonly onDidChange: Event<LiveQuoteState>;
  /** The source of the price; the order goes to no other account. */
  private client: OfferClient | undefined;
  private named: string;
  private readonly seeds: Seeds;
  private wasShown = false;
  private shown: ShownPrice | undefined;
  /** The previous price with its intent: a press on it may still be on its way when the fresh one arrives. */
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

  /** The intent of the next order: changes with each price, and after each order. */
  get intent(): string {
    return this.named;
  }

  /** The offer that can be ordered now; undefined while no price is current. */
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

  /** This model's last price, while a fresh one is being requested. Undefined otherwise. */
  get lastCents(): number | undefined {
    return this.state.status === 'asking' && this.client === this.inUse() ? this.last?.costCents : undefined;
  }

  /**
   * Sets the current inputs; undefined while they're invalid. Missing seeds are drawn at random, new ones for each
   * order. `atOnce` as in `LiveQuote.ask`.
   */
  ask({ id, fields }: Pick<Model, 'id' | 'fields'>, inputs: JsonObject | undefined, atOnce = false): void {
    this.quote.ask(id, inputs && frozenInputs(this.seeds.fill(id, fields, inputs)), atOnce);
  }

  /** Discards every price and requests them again. */
  renew(): void {
    this.quote.renew();
  }

  /** Call when the session changed. True when another account is in use: prices are then requested from that one. */
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

  /** Call when the session changed: requests a price again if the reason for its failure is gone. */
  tryAgain(session: SessionState): void {
    const { state } = this;
    if (state.status === 'failed' && isWorthAnother(state.error, session)) this.quote.renew();
  }

  /** Hands out the offer with this intent, once. Undefined when it can't be ordered now. */
  take(intent: string): Offer | undefined {
    const offer = this.current;
    if (offer?.intent !== intent) return undefined;
    this.lastTaken = intent;
    this.named = this.random.uuid();
    this.seeds.renew();
    return offer;
  }

  /**
   * Like `take`, also for a press on the last price, by its intent: waits for the fresh one, and hands out the offer
   * only if that is no higher. Undefined when it is, or when inputs or account change first.
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

  /** True for the offer handed out last: another press for it is the same press. */
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

  /** Settles the waiting press once its outcome is known. */
  private decide(state: LiveQuoteState): void {
    const { pressed } = this;
    if (!pressed) return;
    const isMeant = state.status !== 'none' && state.inputs === pressed.inputs;
    if (isMeant && state.status === 'asking') return;
    const isCovered = isMeant && state.status === 'priced' && state.costCents <= pressed.costCents;
    this.settle(isCovered ? this.take(this.named) : undefined);
  }

  /** A press without an order can be repeated; one that ordered stays the same press forever. */
  private settle(offer: Offer | undefined): void {
    const { pressed } = this;
    if (!pressed) return;
    this.pressed = undefined;
    this.lastTaken = offer && pressed.intent;
    if (offer) this.last = undefined;
    pressed.settle(offer);
  }
}

/** True when the reason for a price's failure is gone. */
export function isWorthAnother({ kind }: ServiceError, { status, quietUntil }: SessionState): boolean {
  const isBack = kind === 'noAnswer' && status === 'connected';
  const isFree = kind === 'tooManyRequests' && quietUntil === undefined;
  return isBack || isFree;
}

/** The render to price, and the target of its results. */
export interface PriceWish {
  readonly modelId: string;
  /** Undefined while incomplete. */
  readonly inputs: JsonObject | undefined;
  readonly target: Target;
}

/**
 * A live price from the account in use when it's due. It never reads the window's cache, only fills it: renewing must
 * send a request, without invalidating prices on another form's buttons.
 */
export function sessionQuote(session: Pick<Session, 'client'>, quotes: Quotes, options?: LiveQuoteOptions): LiveQuote {
  const ask: AskQuote = async (modelId, inputs, signal) => {
    const { client } = session;
    if (!client) throw notConnected();
    return (await quotes.of(client, modelId, inputs, { signal, freshMs: 0 })).quote;
  };
  return new LiveQuote(ask, systemClock, options);
}

/** The price of single inputs from the account in use; one that the window knows is used for a minute. */
export function sessionPrice(session: Pick<Session, 'client'>, quotes: Quotes): PriceOf {
  return async (modelId, inputs, signal) => {
    const { client } = session;
    if (!client) throw notConnected();
    return quotes.of(client, modelId, inputs, { signal });
  };
}

function notConnected(): ServiceError {
  return new ServiceError('noAnswer', 'Not connected to a service');
}
