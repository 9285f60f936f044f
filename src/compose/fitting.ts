import type { JsonObject } from '../base/json';
import { carriedOver, alternativesOf, type Alternative } from '../catalog/alternatives';
import type { Model, ModelSummary } from '../catalog/types';
import { isHopeless, type PriceList, quoteMany } from './offer';

/** The render to find alternatives for. */
export interface Wish {
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
  wish: Wish,
  models: readonly ModelSummary[],
  limitCents: number,
  prices: PriceList,
  tell: (fit: ModelFit) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const variants = alternativesOf(wish.model, wish.inputs).slice(0, most.variants);
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
    // One failure says nothing about the others.
    failed: (_, error) => isHopeless(error),
  });
}

/**
 * Models that could make the same kind of thing: favorites and recent ones first, then the same family, the same
 * provider, and the rest.
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
