import { type Clock, momentOf } from '../base/clock';
import type { CatalogClient } from '../catalog/client';
import type { Consent, Consented, Initiator } from './consent';
import { OrderError } from './orderError';
import { covers, type Draft, isFresh, type PricedOrder, withOtherSeeds } from './record';

/** The client that prices are requested from. */
export type PriceClient = Pick<CatalogClient, 'account' | 'base' | 'quote'>;

/**
 * Makes an order ready to send: the user has confirmed it where that's required, and its price is fresh when this
 * resolves. An outdated price, or one from another connection, is requested again; if it rose or is no longer stated,
 * the user sees that before anything is sent.
 */
export class Agreement {
  constructor(
    private readonly consent: Consent,
    /** The client in use. Throws when there is none. */
    private readonly client: () => PriceClient,
    private readonly clock: Clock,
  ) {}

  /** Requests the price of a draft. Rejects with ServiceError. */
  async price(draft: Draft): Promise<PricedOrder> {
    const client = this.client();
    const at = momentOf(this.clock);
    const { costCents } = await client.quote(draft.modelId, draft.inputs);
    return { ...draft, shownCents: costCents, account: client.account, asked: { client, at } };
  }

  /** The order at its current price, for display before anything is confirmed. Rejects as `to`. */
  async current(order: PricedOrder): Promise<PricedOrder> {
    return isFresh(order.asked, this.client(), this.clock) ? order : this.priceAgain(order);
  }

  /**
   * The order, ready to send at the price the user saw last. Undefined when they declined, or weren't asked since
   * nobody wants it any longer. Rejects when it can't be priced.
   */
  to(order: PricedOrder, initiator: Initiator, isWanted?: () => boolean): Promise<PricedOrder | undefined> {
    return this.agree(order, initiator, { isCovered: false, isWanted });
  }

  /** The same for an order whose price the user has just confirmed. */
  agreed(order: PricedOrder): Promise<PricedOrder | undefined> {
    return this.agree(order, 'user', { isCovered: true });
  }

  /**
   * The orders of one press, whose sum was on its button: asks at most once, about that. Each then goes to `agreed`.
   * Undefined when the user declined. Rejects when one can't be priced.
   */
  async together(orders: readonly PricedOrder[]): Promise<readonly PricedOrder[] | undefined> {
    const now = await Promise.all(orders.map((order) => this.fresh(order)));
    const answer = await this.consent.together(now);
    return answer === 'refused' ? undefined : now.map((order) => answered({ order, answer }));
  }

  /** The same for an unattended order that has yet to be made; those made at the same time share one question. */
  async unattended(make: () => Promise<PricedOrder | undefined>): Promise<PricedOrder | undefined> {
    const asked = await this.consent.unattended(make);
    return asked && asked.answer !== 'refused'
      ? this.agree(answered(asked), 'automation', { isCovered: true })
      : undefined;
  }

  /** The order wasn't placed after all: it doesn't count as spent. */
  takeBack(order: PricedOrder): void {
    this.consent.takeBack(order);
  }

  /** `isCovered`: this price no longer needs confirmation. */
  private async agree(
    order: PricedOrder,
    initiator: Initiator,
    { isCovered, isWanted }: { isCovered: boolean; isWanted?: () => boolean },
  ): Promise<PricedOrder | undefined> {
    let now = order;
    const toAsk = async () => {
      now = await this.fresh(now).catch((error: unknown) => {
        this.takeBack(order);
        throw error;
      });
      return isCovered && now.before === undefined ? undefined : now;
    };
    for (;;) {
      const asked = await this.ask(toAsk, initiator, isWanted);
      if (!asked) return now;
      if (asked.answer === 'refused') return undefined;
      isCovered = true;
      now = answered(asked);
    }
  }

  /** Unattended orders that arrive at the same time share one question about their prices. */
  private async ask(make: () => Promise<PricedOrder | undefined>, initiator: Initiator, isWanted?: () => boolean) {
    if (initiator === 'automation') return this.consent.unattended(make);
    const order = await make();
    return order && { order, answer: await this.consent.to(order, initiator, isWanted) };
  }

  /**
   * The order at a price that may be spent now. It's recorded with the price the user saw, unless that is too low.
   */
  private async fresh(order: PricedOrder): Promise<PricedOrder> {
    if (isFresh(order.asked, this.client(), this.clock)) return order;
    const { shownCents, asked } = await this.priceAgain(order);
    return covers(order.shownCents, shownCents)
      ? { ...order, asked }
      : { ...order, asked, shownCents, before: order.before ?? { shownCents: order.shownCents } };
  }

  /** A price shown for one account doesn't hold for another. */
  private priceAgain(order: PricedOrder): Promise<PricedOrder> {
    const { account, base } = this.client();
    if (account !== order.account || base !== (order.asked?.client.base ?? base)) throw new OrderError('otherAccount');
    return this.price(order);
  }
}

/**
 * The order after its confirmation. A question may stay open for any length of time, so a price from before it is no
 * longer fresh.
 */
function answered({ order, answer }: { readonly order: PricedOrder; readonly answer: Consented }): PricedOrder {
  const known = { ...order, before: undefined };
  if (answer === 'otherSeeds') return withOtherSeeds(known);
  const asked = answer === 'agreed' ? order.asked && { client: order.asked.client } : order.asked;
  return { ...known, asked, otherSeeds: undefined };
}
