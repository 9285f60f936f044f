import { modelNamed } from '../../../catalog/modelSchema';
import type { ModelSummary } from '../../../catalog/types';

/** Ids of the models that a person uses most. */
export interface AtHand {
  readonly favourites: readonly string[];
  readonly recent: readonly string[];
}

/** A model that was found, and its rank: favorites first, then recent ones, then all others. */
export interface ModelMatch {
  readonly model: ModelSummary;
  readonly among: Among;
  /** A favorite or recent model that isn't in the service's list. */
  readonly isUnlisted: boolean;
}

export type Among = 'favourites' | 'recent' | 'others';

interface SearchEntry extends ModelMatch {
  /** Lowercase title and id, computed once: thousands are searched with each key press. */
  readonly title: string;
  readonly text: string;
}

/**
 * How well a model matches: its title starts with the query, each word starts one of its words, or each word occurs in
 * it.
 */
type MatchRank = 0 | 1 | 2;

/** The matches to show, and how many more there are. */
export interface FoundModels {
  readonly found: readonly ModelMatch[];
  readonly more: number;
}

/** Finds models by words of their title and id. */
export class ModelSearch {
  private readonly entries: readonly SearchEntry[];

  constructor(models: readonly ModelSummary[], { favourites, recent }: AtHand) {
    const byId = new Map(models.map((model) => [model.id, model]));
    const atHand = new Map<string, Among>([
      ...recent.map((id) => [id, 'recent'] as const),
      ...favourites.map((id) => [id, 'favourites'] as const),
    ]);
    const first = [...new Set([...favourites, ...recent])].map((id) => byId.get(id) ?? modelNamed(id));
    const others = [...byId.values()].filter(({ id }) => !atHand.has(id));
    this.entries = [...first, ...others].map((model) =>
      entryOf({ model, among: atHand.get(model.id) ?? 'others', isUnlisted: !byId.has(model.id) }),
    );
  }

  /**
   * The models that match every word of the query, at most `limit`: favorites and recent ones first, then the best
   * match, then the given order.
   */
  find(query: string, limit: number): FoundModels {
    const whole = query.toLowerCase().trim();
    const words = whole.split(/\s+/).filter(Boolean);
    const atHand: SearchEntry[] = [];
    const fits: [SearchEntry[], SearchEntry[], SearchEntry[]] = [[], [], []];
    let all = 0;
    for (const entry of this.entries) {
      const fit = fitOf(entry, whole, words);
      if (fit === undefined) continue;
      all++;
      const list = entry.among === 'others' ? fits[fit] : atHand;
      if (list.length < limit) list.push(entry);
    }
    const found = [...atHand, ...fits.flat()].slice(0, limit);
    return { found, more: all - found.length };
  }
}

function entryOf(found: ModelMatch): SearchEntry {
  const title = found.model.title.toLowerCase();
  return { ...found, title, text: `${title} ${found.model.id.toLowerCase()}` };
}

function fitOf({ title, text }: SearchEntry, whole: string, words: readonly string[]): MatchRank | undefined {
  if (!words.every((word) => text.includes(word))) return undefined;
  if (title.startsWith(whole)) return 0;
  return words.every((word) => beginsAWord(word, text)) ? 1 : 2;
}

function beginsAWord(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  }
  return false;
}

/**
 * The model whose identifier was typed, in the specification's form (`<provider>/<family>/<model_name>`): a service may
 * know more models than it lists. Undefined when it isn't an identifier, or is listed.
 */
export function typedModel(typed: string, listed: readonly ModelSummary[]): ModelSummary | undefined {
  const id = typed.trim();
  if (!/^[^\s/]+\/[^\s/]+\/[^\s/]+$/.test(id) || listed.some((model) => model.id === id)) return undefined;
  return modelNamed(id);
}
