/**
 * A draft (`compose/composer.ts`) on its way to an order: with a price and the account that it's from, it becomes a
 * PricedOrder. What was priced is what is sent: inputs are frozen, and a price is fresh for a minute.
 */

import { ageOf, type Clock, type Moment } from '../base/clock';
import type { FrozenInputs } from '../base/frozen';
import type { CatalogClient } from '../catalog/client';
import type { Order } from './record';

/**
 * The client and the time of a price's request. A price that isn't known to be fresh is requested again before it's
 * spent.
 */
export interface AskedOf {
  readonly client: Pick<CatalogClient, 'account' | 'base'>;
  /** Undefined when it's no longer known. */
  readonly at?: Moment;
}

/** An order at a price. What was priced is what is sent. */
export interface PricedOrder extends Order {
  readonly inputs: FrozenInputs;
  /** Undefined for a recorded order. */
  readonly asked?: AskedOf;
  /** The price seen before, if it rose or is no longer stated: the user is asked about the new one. */
  readonly before?: Pick<Order, 'shownCents'>;
  /** Inputs with other seeds, if these would make an existing image again: the user is asked which to use. */
  readonly otherSeeds?: FrozenInputs;
}

/** An order before its price is known. */
export type Draft = Omit<PricedOrder, 'shownCents' | 'account' | 'asked' | 'before' | 'otherSeeds' | 'by'>;

/** The orders' total cost, euro cents; undefined when a price isn't stated. */
export function sumOf(orders: readonly Pick<Order, 'shownCents'>[]): number | undefined {
  return orders.reduce<number | undefined>(
    (sum, { shownCents }) => (sum === undefined || shownCents === undefined ? undefined : sum + shownCents),
    0,
  );
}

/** The order with the other seeds. Its price is requested again, and a higher one is confirmed again. */
export function withOtherSeeds(order: PricedOrder): PricedOrder {
  const { inputs, asked, otherSeeds } = order;
  return { ...order, inputs: otherSeeds ?? inputs, asked: asked && { client: asked.client }, otherSeeds: undefined };
}

/** How long a price may be spent without a new request, ms. */
const freshMs = 60_000;

/** True while the price may be spent: the client in use stated it a moment ago. */
export function isFresh(asked: AskedOf | undefined, inUse: unknown, clock: Clock): boolean {
  return asked?.at !== undefined && asked.client === inUse && ageOf(asked.at, clock) < freshMs;
}

/**
 * True when the confirmed price (euro cents) covers the current one. A higher price, or one no longer stated, needs a
 * new decision.
 */
export function covers(agreed: number | undefined, now: number | undefined): boolean {
  return agreed === undefined || now === undefined ? agreed === now : now <= agreed;
}
