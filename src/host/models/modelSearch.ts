import type { ModelSummary } from '../../catalog/types';

/** Which models a person keeps at hand, by their ids. */
export interface AtHand {
  readonly favourites: readonly string[];
  readonly recent: readonly string[];
}

/** A model that was found, and where it stands: favourites first, then those used last, then all others. */
export interface Found {
  readonly model: ModelSummary;
  readonly among: Among;
}

export type Among = 'favourites' | 'recent' | 'others';

interface Entry extends Found {
  /** Title and id in lower case, made once: thousands are asked at each key. */
  readonly title: string;
  readonly text: string;
}

/** How well a model fits: its title begins with the query, each word begins one of its words, or each word is somewhere in it. */
type Fit = 0 | 1 | 2;

/** What a search found, and how many more than can be shown. */
export interface Finding {
  readonly found: readonly Found[];
  readonly more: number;
}

/** Finds models by the words of their title and id. */
export class ModelSearch {
  private readonly entries: readonly Entry[];

  constructor(models: readonly ModelSummary[], { favourites, recent }: AtHand) {
    const byId = new Map(models.map((model) => [model.id, model]));
    const atHand = new Map<string, Among>([
      ...recent.map((id) => [id, 'recent'] as const),
      ...favourites.map((id) => [id, 'favourites'] as const),
    ]);
    const first = [...new Set([...favourites, ...recent])].flatMap((id) => byId.get(id) ?? []);
    const others = [...byId.values()].filter(({ id }) => !atHand.has(id));
    this.entries = [...first, ...others].map((model) => entryOf(model, atHand.get(model.id) ?? 'others'));
  }

  /** The models that hold every word of the query, at most `limit`: those at hand first, then the best fit, then in the order given. */
  find(query: string, limit: number): Finding {
    const whole = query.toLowerCase().trim();
    const words = whole.split(/\s+/).filter(Boolean);
    const atHand: Entry[] = [];
    const fits: [Entry[], Entry[], Entry[]] = [[], [], []];
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

function entryOf(model: ModelSummary, among: Among): Entry {
  const title = model.title.toLowerCase();
  return { model, among, title, text: `${title} ${model.id.toLowerCase()}` };
}

function fitOf({ title, text }: Entry, whole: string, words: readonly string[]): Fit | undefined {
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
