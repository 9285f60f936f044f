import type { Disposable } from '../base/disposable';
import { Emitter } from '../base/event';
import { type Alternative, carryOver } from '../catalog/alternatives';
import type { FieldIssue } from '../catalog/fields';
import type { Field, Model, ModelSummary } from '../catalog/types';
import type { ModelFit, Wish } from './fitting';
import { isHopeless, type PriceList, quoteMany } from './offer';

/** One model's price for the same render, or why it has none, as far as known. */
export type PriceAnswer =
  | ({ readonly says: 'price' } & ModelFit)
  | { readonly says: 'notStated'; readonly model: Model }
  /** The carried-over inputs leave this field invalid. */
  | { readonly says: 'hindered'; readonly model: Model; readonly field: Field; readonly issue: FieldIssue }
  | { readonly says: 'failed'; readonly model: ModelSummary; readonly error: unknown };

/** A response with a price. */
export type PricedModel = Extract<PriceAnswer, { says: 'price' }>;

/** Concurrent requests. */
const atOnce = 4;

/**
 * The price of the same render with its own model and with others. Requests prices only on demand, and only about as
 * many as asked.
 */
export class PriceComparison implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly ending = new AbortController();
  private readonly found: PriceAnswer[] = [];
  private left: readonly ModelSummary[];
  private asking = false;
  private stopped: unknown;

  /** `others` in the order they're to be tried. */
  constructor(
    readonly wish: Wish,
    others: readonly ModelSummary[],
    private readonly prices: PriceList,
  ) {
    this.left = [wish.model, ...others];
  }

  /** In the order they arrived. */
  get answers(): readonly PriceAnswer[] {
    return this.found;
  }

  /** The number of models without a request so far. */
  get unasked(): number {
    return this.left.length;
  }

  get isAsking(): boolean {
    return this.asking;
  }

  /** Why it stopped early; undefined when it didn't. */
  get problem(): unknown {
    return this.stopped;
  }

  /**
   * Requests prices of that many more models, skipping those that take no prompt. Never rejects: if the service stops
   * responding, the rest can be requested again.
   */
  async ask(count: number): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    this.stopped = undefined;
    this.changed.fire();
    const batch = this.left.slice(0, count);
    const done = new Set<ModelSummary>();
    await quoteMany(batch, {
      atOnce,
      signal: this.ending.signal,
      ask: (model, signal) => this.answerOf(model, signal),
      answered: (model, answer) => {
        done.add(model);
        if (answer) this.add(answer);
      },
      failed: (model, error) => {
        if (isHopeless(error)) {
          this.stopped ??= error;
          return true;
        }
        done.add(model);
        this.add({ says: 'failed', model, error });
        return false;
      },
    });
    this.left = this.left.filter((model) => !done.has(model));
    this.asking = false;
    this.changed.fire();
  }

  /** Aborts running requests: see the signal. */
  dispose(): void {
    this.ending.abort();
    this.changed.dispose();
  }

  private add(answer: PriceAnswer): void {
    this.found.push(answer);
    this.changed.fire();
  }

  private async answerOf({ id }: ModelSummary, signal: AbortSignal): Promise<PriceAnswer | undefined> {
    const carried = await this.carried(id);
    if (!carried) return undefined;
    if (!('inputs' in carried)) return { says: 'hindered', ...carried };
    const { costCents } = await this.prices.quote(id, carried.inputs, signal);
    return costCents === undefined
      ? { says: 'notStated', model: carried.model }
      : { says: 'price', ...carried, costCents };
  }

  private async carried(id: string): Promise<ReturnType<typeof carryOver>> {
    const { model, inputs } = this.wish;
    const own: Alternative = { model, inputs, left: [] };
    return id === model.id ? own : carryOver(model, await this.prices.model(id), inputs);
  }
}

/**
 * The results for display: by price, those without one last. While someone works with the rows, those in `shown` (ids
 * of models) keep their places, and new ones follow.
 */
export function arrangedPrices(answers: readonly PriceAnswer[], shown: readonly string[] = []): readonly PriceAnswer[] {
  const place = new Map(shown.map((id, index) => [id, index]));
  const placeOf = ({ model }: PriceAnswer) => place.get(model.id) ?? Infinity;
  return [...answers].sort((a, b) => {
    const [first, second] = [placeOf(a), placeOf(b)];
    return first === second ? priceOf(a) - priceOf(b) || byTitle(a, b) : first - second;
  });
}

/** The total price of a selection, euro cents, and the balance after it; undefined when unknown. */
export interface Total {
  readonly count: number;
  readonly costCents: number;
  readonly afterCents?: number;
}

export function totalOf(chosen: readonly Pick<PricedModel, 'costCents'>[], balanceCents: number | undefined): Total {
  const costCents = chosen.reduce((sum, priced) => sum + priced.costCents, 0);
  const afterCents = balanceCents === undefined ? undefined : balanceCents - costCents;
  return { count: chosen.length, costCents, afterCents };
}

function priceOf(answer: PriceAnswer): number {
  return answer.says === 'price' ? answer.costCents : Number.MAX_SAFE_INTEGER;
}

function byTitle(a: PriceAnswer, b: PriceAnswer): number {
  return a.model.title.localeCompare(b.model.title);
}

/** The selected results of a comparison: only those with a price. */
export class PriceSelection {
  private ids: ReadonlySet<string>;

  /** `ids` of models to select as soon as they have a price. */
  constructor(ids: readonly string[]) {
    this.ids = new Set(ids);
  }

  has({ says, model }: PriceAnswer): boolean {
    return says === 'price' && this.ids.has(model.id);
  }

  /**
   * Takes the editor's selection among the rows `shown`; undefined is the row that loads more. Returns `more` when only
   * that row was added: selecting all rows at once doesn't mean it.
   */
  take(selected: readonly (PriceAnswer | undefined)[], shown: readonly PriceAnswer[]): 'more' | 'added' | 'none' {
    const added = selected.filter((answer) => !answer || !this.has(answer));
    const others = [...this.ids].filter((id) => !shown.some(({ model }) => model.id === id));
    this.ids = new Set([
      ...others,
      ...selected.flatMap((answer) => (answer?.says === 'price' ? [answer.model.id] : [])),
    ]);
    if (added.length === 1 && !added[0]) return 'more';
    return added.length > 0 ? 'added' : 'none';
  }
}
