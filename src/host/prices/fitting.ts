import { eachOf } from '../../base/eachOf';
import type { JsonObject } from '../../base/json';
import { carriedOver, variantsOf, type Alternative } from '../../catalog/alternatives';
import { ServiceError, type ServiceErrorKind } from '../../catalog/errors';
import type { Model, ModelSummary, Quote } from '../../catalog/types';

/** What somebody wants rendered. */
export interface Wish {
  readonly model: Model;
  readonly inputs: JsonObject;
}

/** An alternative with the price the service states for it, euro cents. */
export interface Fit extends Alternative {
  readonly costCents: number;
}

/** Whom prices and models are asked of. Both reject with ServiceError; a price also when the signal says that nobody waits for it. */
export interface PriceList {
  model(id: string): Promise<Model>;
  quote(modelId: string, inputs: JsonObject, signal: AbortSignal): Promise<Quote>;
}

/** Requests at the same time. */
const atOnce = 3;
/** How many values of the model's own choices, and how many other models, are asked for. */
const most = { variants: 20, models: 12 };
const hopeless: ReadonlySet<ServiceErrorKind> = new Set(['tooManyRequests', 'noAnswer', 'keyRefused', 'cancelled']);

/**
 * Looks for ways to render the same for at most `limitCents`, asking the service for each price: the same model with other choices,
 * then these models. `tell` hears of each that fits. False when it ended early, as the service does not answer or asks for fewer requests.
 */
export async function findFits(
  wish: Wish,
  models: readonly ModelSummary[],
  limitCents: number,
  prices: PriceList,
  tell: (fit: Fit) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const variants = variantsOf(wish.model, wish.inputs).slice(0, most.variants);
  const ideas: (() => Alternative | undefined | Promise<Alternative | undefined>)[] = [
    ...variants.map((variant) => () => variant),
    ...models.slice(0, most.models).map(
      ({ id }) =>
        async () =>
          carriedOver(wish.model, await prices.model(id), wish.inputs),
    ),
  ];
  let isOver = false;
  const goesOn = () => !isOver && !signal.aborted;
  const ask = async (idea: (typeof ideas)[number]) => {
    try {
      const alternative = await idea();
      const costCents = alternative && (await prices.quote(alternative.model.id, alternative.inputs, signal)).costCents;
      const fits = costCents !== undefined && costCents <= limitCents;
      if (alternative && fits && goesOn()) tell({ ...alternative, costCents });
    } catch (error) {
      // One that cannot be had says nothing of the others.
      isOver ||= isHopeless(error);
    }
  };
  await eachOf(ideas, atOnce, ask, goesOn);
  return !isOver;
}

/** True for what says that no other question would be answered now. */
export function isHopeless(error: unknown): boolean {
  return !(error instanceof ServiceError) || hopeless.has(error.kind);
}

/** Models that could make the same kind of thing: those at hand first, then of the same family, of the same provider, and the others. */
export function kindred(
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
