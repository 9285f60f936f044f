import type { Disposable } from '../base/disposable';
import { forEachLimit } from '../base/concurrency';
import { Emitter } from '../base/event';
import { frozenInputs } from '../base/frozen';
import { promptOf } from '../catalog/fields';
import type { Draft, PricedOrder } from '../renders/priced';

/** One row of a bill. */
export interface BillRow {
  readonly title: string;
  readonly draft: Draft;
  readonly prompt: string;
  /** Undefined if its prompt can't be changed. */
  readonly promptField?: string;
  readonly isChanged: boolean;
  readonly ticked: boolean;
  /** True for what costs nothing because it needs no render: it's never ordered. */
  readonly isFree?: boolean;
  /** Undefined while its price is being requested, or after that failed. */
  readonly order?: PricedOrder;
  readonly problem?: unknown;
}

/** Concurrent price requests. */
const atOnce = 4;

/** Several renders of an agent for a person to accept or skip, with the price of each and their sum. */
export class Bill implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  rows: readonly BillRow[];

  constructor(
    wanted: readonly Pick<BillRow, 'title' | 'draft' | 'promptField' | 'isFree'>[],
    private readonly price: (draft: Draft) => Promise<PricedOrder>,
  ) {
    this.rows = wanted.map((row) => ({
      ...row,
      prompt: promptOf(undefined, row.draft.inputs),
      isChanged: false,
      ticked: true,
    }));
  }

  /** Selected renders that can be ordered at a stated price. */
  get agreed(): readonly PricedOrder[] {
    return this.rows.flatMap(({ ticked, order }) => (ticked && order?.shownCents !== undefined ? [order] : []));
  }

  /** Selected rows that need no order. */
  get free(): readonly Draft[] {
    return this.rows.flatMap(({ ticked, isFree, draft }) => (ticked && isFree ? [draft] : []));
  }

  get isAsking(): boolean {
    return this.rows.some(({ ticked, isFree, order, problem }) => ticked && !isFree && !order && problem === undefined);
  }

  /** Selects exactly these, by index. */
  tick(places: ReadonlySet<number>): void {
    this.rows = this.rows.map((row, place) => ({ ...row, ticked: places.has(place) }));
    this.changed.fire();
  }

  /** Changes the prompt of one. Resolves when it's priced. */
  say(place: number, prompt: string): Promise<void> {
    const row = this.rows[place];
    if (row?.promptField === undefined || prompt.trim() === '') return Promise.resolve();
    const inputs = frozenInputs({ ...row.draft.inputs, [row.promptField]: prompt });
    this.set(place, { draft: { ...row.draft, inputs }, prompt, isChanged: true, order: undefined, problem: undefined });
    return this.ask([place]);
  }

  /** Requests the prices of the selection. Never rejects. */
  settle(): Promise<void> {
    return this.ask([...this.rows.keys()].filter((place) => this.rows[place]?.ticked));
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async ask(places: readonly number[]): Promise<void> {
    await forEachLimit(places, atOnce, async (place) => {
      const { draft, isFree } = this.rows[place] ?? {};
      if (!draft || isFree) return;
      const answer = await this.price(draft).then(
        (order) => ({ order, problem: undefined }),
        (problem: unknown) => ({ order: undefined, problem }),
      );
      // The prompt changed meanwhile: this price isn't for it.
      if (this.rows[place]?.draft === draft) this.set(place, answer);
    });
  }

  private set(place: number, change: Partial<BillRow>): void {
    this.rows = this.rows.map((row, at) => (at === place ? { ...row, ...change } : row));
    this.changed.fire();
  }
}
