import { momentOf, type Clock } from '../base/clock';
import type { CatalogClient } from '../catalog/client';
import type { Consent, Consented } from './consent';
import { OrderError } from './orderError';
import { isFresh, withOtherSeeds, type Draft, type PricedOrder } from './priced';
import { covers, type Gesture } from './spending';

/** Whom prices are asked of. */
type PriceClient = Pick<CatalogClient, 'account' | 'base' | 'quote'>;

/**
 * Brings an order to where it may be sent: the person agreed to it where they must be asked, and its price is fresh
 * when this resolves. An older price, or one of another connection, is asked again; one that rose since, or is stated
 * no longer, is shown before anything is sent.
 */
export class Agreement {
  constructor(
    private readonly consent: Consent,
    /** The client in use. Throws when there is none that could be asked. */
    private readonly client: () => PriceClient,
    private readonly clock: Clock,
  ) {}

  /** Asks for the price of a draft. Rejects with ServiceError when it can't be had. */
  async price(draft: Draft): Promise<PricedOrder> {
    const client = this.client();
    const at = momentOf(this.clock);
    const { costCents } = await client.quote(draft.modelId, draft.inputs);
    return { ...draft, shownCents: costCents, account: client.account, asked: { client, at } };
  }

  /** The order at the price of now, for who shows it before anything is agreed to. Rejects as `to`. */
  async current(order: PricedOrder): Promise<PricedOrder> {
    return isFresh(order.asked, this.client(), this.clock) ? order : this.priceAgain(order);
  }

  /**
   * The order as it may be sent now, at the price the person saw last. Undefined when they said no. Rejects when it
   * can't be priced.
   */
  to(order: PricedOrder, gesture: Gesture): Promise<PricedOrder | undefined> {
    return this.agree(order, gesture, false);
  }

  /** The same for an order whose price the person has just said yes to. */
  agreed(order: PricedOrder): Promise<PricedOrder | undefined> {
    this.consent.agreed();
    return this.agree(order, 'ours', true);
  }

  /** The same for an unattended order that is still to be made; those made at the same time are one question. */
  async unattended(make: () => Promise<PricedOrder | undefined>): Promise<PricedOrder | undefined> {
    const asked = await this.consent.unattended(make);
    return asked && asked.answer !== 'refused' ? this.agree(answered(asked), 'unattended', true) : undefined;
  }

  /** The order was not placed after all: nothing of it counts as spent. */
  takeBack(order: Pick<PricedOrder, 'intent'>): void {
    this.consent.takeBack(order);
  }

  /** `isCovered`: nobody has to be asked about it at this price any more. */
  private async agree(order: PricedOrder, gesture: Gesture, isCovered: boolean): Promise<PricedOrder | undefined> {
    let now = order;
    const toAsk = async () => {
      now = await this.fresh(now).catch((error: unknown) => {
        this.takeBack(order);
        throw error;
      });
      return isCovered && now.before === undefined ? undefined : now;
    };
    for (;;) {
      const asked = await this.ask(toAsk, gesture);
      if (!asked) return now;
      if (asked.answer === 'refused') return undefined;
      isCovered = true;
      now = answered(asked);
    }
  }

  /** The prices of unattended orders that come at the same time are one question. */
  private async ask(make: () => Promise<PricedOrder | undefined>, gesture: Gesture) {
    if (gesture === 'unattended') return this.consent.unattended(make);
    const order = await make();
    return order && { order, answer: await this.consent.to(order, gesture) };
  }

  /**
   * The order at a price that may be spent now. What the person saw stays the price it is recorded with, unless that is
   * too low.
   */
  private async fresh(order: PricedOrder): Promise<PricedOrder> {
    if (isFresh(order.asked, this.client(), this.clock)) return order;
    const { shownCents, asked } = await this.priceAgain(order);
    return covers(order.shownCents, shownCents)
      ? { ...order, asked }
      : { ...order, asked, shownCents, before: order.before ?? { shownCents: order.shownCents } };
  }

  /** What was shown for one account is nothing that another pays. */
  private priceAgain(order: PricedOrder): Promise<PricedOrder> {
    const { account, base } = this.client();
    if (account !== order.account || base !== (order.asked?.client.base ?? base)) throw new OrderError('otherAccount');
    return this.price(order);
  }
}

/**
 * The order once it was agreed to. Nobody knows how long a question stood: what was asked before it isn't fresh any
 * more.
 */
function answered({ order, answer }: { readonly order: PricedOrder; readonly answer: Consented }): PricedOrder {
  const known = { ...order, before: undefined };
  if (answer === 'otherSeeds') return withOtherSeeds(known);
  const asked = answer === 'agreed' ? order.asked && { client: order.asked.client } : order.asked;
  return { ...known, asked, otherSeeds: undefined };
}
