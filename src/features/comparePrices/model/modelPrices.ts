import * as z from 'zod/mini';
import type { Store } from '../../../base/store';
import { type Alternative, transferInputs, type Blocker } from '../../../catalog/alternatives';
import type { ModelSummary } from '../../../catalog/fields';
import { isHopeless, type PriceList, type ModelInputs } from '../../../compose/fitting';
import { type ListItem, PricedList, type PricedRow, type Stated } from '../../../compose/pricedList';

/** A model that may render the same. */
export interface ModelItem extends ListItem {
  readonly model: ModelSummary;
}

/** The same for this model, with its price. */
export interface PricedModel extends Alternative, Stated {}

export type ModelRow = PricedRow<ModelItem, PricedModel>;

/** The inputs carried over to a model leave one of its fields invalid. */
export class Blocked extends Error {
  constructor(readonly blocker: Blocker) {
    super(blocker.issue.code);
  }
}

/**
 * The price of the same render with its own model and with `others`, in this order. Requests prices only on demand: see
 * `unasked`. `ticked`: the ids of the models to select once they have a price; without one, none can be.
 */
export class ModelPrices extends PricedList<ModelItem, PricedModel> {
  constructor(request: ModelInputs, others: readonly ModelSummary[], prices: PriceList, ticked: readonly string[]) {
    const items = [request.model, ...others].map((model) => ({ id: model.id, question: model.id, model }));
    super(items, new Set(), {
      concurrency: 4,
      price: ({ id }, signal) => priceOf(id, request, prices, signal),
      stopsAt: stops,
      mayTick: ({ price }) => price.is === 'known' && price.priced.shownCents !== undefined,
      tickedOnceKnown: new Set(ticked),
    });
  }

  /** The ids of the models without an answer so far. */
  get unasked(): readonly string[] {
    return this.rows.filter((row) => !isAnswered(row)).map(({ item }) => item.id);
  }

  /** By price, which is how their results are compared. */
  override get agreed(): PricedList<ModelItem, PricedModel>['agreed'] {
    const agreed = new Map(super.agreed.map((one) => [one.item.id, one]));
    return this.arranged([]).flatMap(({ item }) => agreed.get(item.id) ?? []);
  }

  /** Requests the prices of that many more models, unless some are being requested. Never rejects. */
  async askMore(count: number): Promise<void> {
    if (!this.isAsking) await this.ask(this.unasked.slice(0, count));
  }

  /**
   * The models with an answer: by price, those without one last. While someone works with the rows, those in `held`
   * (ids) keep their places, and new ones follow.
   */
  arranged(held: readonly string[]): readonly ModelRow[] {
    const place = new Map(held.map((id, index) => [id, index]));
    const placeOf = ({ item }: ModelRow) => place.get(item.id) ?? Infinity;
    return this.rows.filter(isAnswered).sort((a, b) => {
      const [first, second] = [placeOf(a), placeOf(b)];
      return first === second ? centsOf(a) - centsOf(b) || byTitle(a, b) : first - second;
    });
  }
}

async function priceOf(
  id: string,
  { model, inputs }: ModelInputs,
  prices: PriceList,
  signal: AbortSignal,
): Promise<PricedModel | undefined> {
  const carried = id === model.id ? { model, inputs, left: [] } : transferInputs(model, await prices.model(id), inputs);
  // A model without a prompt isn't listed.
  if (!carried) return undefined;
  if (!('inputs' in carried)) throw new Blocked(carried);
  return { ...carried, shownCents: (await prices.quote(id, carried.inputs, signal)).costCents };
}

function stops(error: unknown): boolean {
  return !(error instanceof Blocked) && isHopeless(error);
}

/** A failure that would meet the others too is no answer about this model. */
function isAnswered({ price }: ModelRow): boolean {
  return price.is === 'known' || (price.is === 'failed' && !stops(price.error));
}

function centsOf({ price }: ModelRow): number {
  return (price.is === 'known' ? price.priced.shownCents : undefined) ?? Number.MAX_SAFE_INTEGER;
}

function byTitle({ item: a }: ModelRow, { item: b }: ModelRow): number {
  return a.model.title.localeCompare(b.model.title);
}

const key = 'comparePrices.ticked';

/** The ids of the models that one prompt was last rendered with: selected again next time. */
export function lastTicked(everywhere: Store): readonly string[] {
  return z.array(z.string()).safeParse(everywhere.get(key)).data ?? [];
}

export async function keepTicked(everywhere: Store, modelIds: readonly string[]): Promise<void> {
  await everywhere.update(key, [...modelIds]);
}
