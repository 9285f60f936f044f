import type { JsonObject } from '../../base/json';
import { carriedOver, variantsOf, type Alternative } from '../../catalog/alternatives';
import type { Model, ModelSummary } from '../../catalog/types';
import { isHopeless, quoteMany, type PriceList } from './quoteMany';

/** What somebody wants rendered. */
export interface Wish {
  readonly model: Model;
  readonly inputs: JsonObject;
}

/** An alternative with the price the service states for it, euro cents. */
export interface Fit extends Alternative {
  readonly costCents: number;
}

/** Requests at the same time. */
const atOnce = 3;
/** How many values of the model's own choices, and how many other models, are asked for. */
const most = { variants: 20, models: 12 };

/**
 * Looks for ways to render the same for at most `limitCents`, asking the service for each price: the same model with
 * other choices, then these models. `tell` hears of each that fits. False when it ended early, as the service does not
 * answer or asks for fewer requests.
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
  return quoteMany(ideas, {
    atOnce,
    signal,
    ask: async (idea, until) => {
      const alternative = await idea();
      const costCents = alternative && (await prices.quote(alternative.model.id, alternative.inputs, until)).costCents;
      return alternative && costCents !== undefined ? { ...alternative, costCents } : undefined;
    },
    answered: (_, fit) => {
      if (fit && fit.costCents <= limitCents) tell(fit);
    },
    // One that cannot be had says nothing of the others.
    failed: (_, error) => isHopeless(error),
  });
}

/**
 * Models that could make the same kind of thing: those at hand first, then of the same family, of the same provider,
 * and the others.
 */
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
