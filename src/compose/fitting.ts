import { forEachLimit } from '../base/concurrency';
import type { JsonObject } from '../base/json';
import { transferredInputs, alternativesOf, type Alternative } from '../catalog/alternatives';
import type { CatalogClient } from '../catalog/client';
import { ServiceError, type ServiceErrorKind } from '../catalog/errors';
import type { QuoteOptions, Quotes } from '../catalog/quotes';
import type { Session } from '../catalog/session';
import type { Model, ModelSummary, Quote } from '../catalog/fields';

/** The source of prices and models. Both reject with ServiceError; a price also when the signal is aborted. */
export interface PriceList {
  model(id: string): Promise<Model>;
  quote(modelId: string, inputs: JsonObject, signal: AbortSignal): Promise<Quote>;
}

/** The prices of one connection, cached per window. */
export function priceListOf(
  client: CatalogClient,
  session: Pick<Session, 'model'>,
  quotes: Quotes,
  options: QuoteOptions = {},
): PriceList {
  return {
    model: (id) => session.model(id),
    quote: async (id, inputs, signal) => (await quotes.of(client, id, inputs, { ...options, signal })).quote,
  };
}

const hopeless: ReadonlySet<ServiceErrorKind> = new Set(['tooManyRequests', 'noAnswer', 'keyRefused', 'cancelled']);

/** True for a failure that would affect every other request too. */
export function isHopeless(error: unknown): boolean {
  return !(error instanceof ServiceError) || hopeless.has(error.kind);
}

/** The render to find alternatives for. */
export interface ModelInputs {
  readonly model: Model;
  readonly inputs: JsonObject;
}

/** An alternative with its price from the service, euro cents. */
export interface ModelFit extends Alternative {
  readonly costCents: number;
}

/** Concurrent requests. */
const atOnce = 3;
/** How many variants of the model's inputs, and how many other models, are tried. */
const most = { variants: 20, models: 12 };

/**
 * Finds ways to render the same for at most `limitCents`, requesting each price: the same model with other options,
 * then these models. Calls `tell` for each that fits. False when it stopped early because the service isn't responding
 * or asks for fewer requests.
 */
export async function findFits(
  request: ModelInputs,
  models: readonly ModelSummary[],
  limitCents: number,
  prices: PriceList,
  tell: (fit: ModelFit) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const variants = alternativesOf(request.model, request.inputs).slice(0, most.variants);
  const ideas: (() => Alternative | undefined | Promise<Alternative | undefined>)[] = [
    ...variants.map((variant) => () => variant),
    ...models.slice(0, most.models).map(
      ({ id }) =>
        async () =>
          transferredInputs(request.model, await prices.model(id), request.inputs),
    ),
  ];
  let isOver = false;
  const tryOne = async (idea: (typeof ideas)[number]) => {
    try {
      const alternative = await idea();
      if (!alternative) return;
      const { costCents } = await prices.quote(alternative.model.id, alternative.inputs, signal);
      const isFit = costCents !== undefined && costCents <= limitCents;
      if (isFit && !signal.aborted) tell({ ...alternative, costCents });
    } catch (error) {
      // One failure says nothing about the others, unless the service isn't responding.
      if (!signal.aborted && isHopeless(error)) isOver = true;
    }
  };
  await forEachLimit(ideas, atOnce, tryOne, () => !isOver && !signal.aborted);
  return !isOver;
}

/**
 * Models that could make the same kind of thing: favorites and recent ones first, then the same family, the same
 * provider, and the rest.
 */
export function similarModels(
  model: ModelSummary,
  listed: readonly ModelSummary[],
  atHand: readonly string[],
): readonly ModelSummary[] {
  const distance = (other: ModelSummary) => {
    if (atHand.includes(other.id)) return 0;
    if (other.provider !== model.provider) return 3;
    return other.family === model.family ? 1 : 2;
  };
  const others = listed.filter(({ id, kind }) => id !== model.id && kind === model.kind);
  return others.sort((a, b) => distance(a) - distance(b));
}
