import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { carryOver, type Alternative } from '../../catalog/alternatives';
import type { FieldIssue } from '../../catalog/fields';
import type { Field, Model, ModelSummary } from '../../catalog/types';
import type { Fit, Wish } from './fitting';
import { isHopeless, quoteMany, type PriceList } from './quoteMany';

/** What is known of one model: the price of the same render with it, or why it has none. */
export type PriceAnswer =
  | ({ readonly says: 'price' } & Fit)
  | { readonly says: 'notStated'; readonly model: Model }
  /** What is carried over leaves this field of it wrong. */
  | { readonly says: 'hindered'; readonly model: Model; readonly field: Field; readonly issue: FieldIssue }
  | { readonly says: 'failed'; readonly model: ModelSummary; readonly error: unknown };

/** An answer with a price. */
export type PricedModel = Extract<PriceAnswer, { says: 'price' }>;

/** Requests at the same time. */
const atOnce = 4;

/**
 * What the same render costs with its own model and with others. Asks only when told to, and about as many as it is
 * told.
 */
export class PriceComparison implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly ending = new AbortController();
  private readonly found: PriceAnswer[] = [];
  private left: readonly ModelSummary[];
  private asking = false;
  private stopped: unknown;

  /** `others` in the order they are to be asked about. */
  constructor(
    readonly wish: Wish,
    others: readonly ModelSummary[],
    private readonly prices: PriceList,
  ) {
    this.left = [wish.model, ...others];
  }

  /** In the order they came. */
  get answers(): readonly PriceAnswer[] {
    return this.found;
  }

  /** How many models have not been asked about. */
  get unasked(): number {
    return this.left.length;
  }

  get isAsking(): boolean {
    return this.asking;
  }

  /** Why asking ended early; undefined when it did not. */
  get problem(): unknown {
    return this.stopped;
  }

  /**
   * Asks about that many more models; those that take no prompt are left out. Never rejects: when the service answers
   * no more, the rest can be asked about again.
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

  /** What is under way is given up: see the signal. */
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
 * The answers as they are shown: by price, those without one last. Where somebody is at work in the rows, those in
 * `shown` (ids of models) stay where they are, and what is new follows them.
 */
export function arranged(answers: readonly PriceAnswer[], shown: readonly string[] = []): readonly PriceAnswer[] {
  const place = new Map(shown.map((id, index) => [id, index]));
  const placeOf = ({ model }: PriceAnswer) => place.get(model.id) ?? Infinity;
  return [...answers].sort((a, b) => {
    const [first, second] = [placeOf(a), placeOf(b)];
    return first === second ? priceOf(a) - priceOf(b) || byTitle(a, b) : first - second;
  });
}

/** What a choice costs, euro cents, and what the balance would be after it; that is undefined where it is not known. */
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
