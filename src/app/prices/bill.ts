import type { Disposable } from '../../base/disposable';
import { eachOf } from '../../base/eachOf';
import { Emitter } from '../../base/event';
import { frozenInputs } from '../../base/frozen';
import { promptOf } from '../../catalog/fields';
import type { Draft, PricedOrder } from '../../renders/priced';

/** One thing of a bill. */
export interface BillRow {
  readonly title: string;
  readonly draft: Draft;
  readonly prompt: string;
  /** Undefined for one whose words can't be changed. */
  readonly promptField?: string;
  readonly isChanged: boolean;
  readonly ticked: boolean;
  /** Undefined while its price is being asked for, or where that failed. */
  readonly order?: PricedOrder;
  readonly problem?: unknown;
}

/** Prices that are asked for at the same time. */
const atOnce = 4;

/** Several renders, as a person takes or leaves each, with the price of each and their sum. */
export class Bill implements Disposable {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  rows: readonly BillRow[];

  constructor(
    wanted: readonly Pick<BillRow, 'title' | 'draft' | 'promptField'>[],
    private readonly price: (draft: Draft) => Promise<PricedOrder>,
  ) {
    this.rows = wanted.map((row) => ({
      ...row,
      prompt: promptOf(undefined, row.draft.inputs),
      isChanged: false,
      ticked: true,
    }));
  }

  /** What is taken and can be ordered at a stated price. */
  get agreed(): readonly PricedOrder[] {
    return this.rows.flatMap(({ ticked, order }) => (ticked && order?.shownCents !== undefined ? [order] : []));
  }

  get isAsking(): boolean {
    return this.rows.some(({ ticked, order, problem }) => ticked && !order && problem === undefined);
  }

  /** Exactly these are taken, by their places. */
  tick(places: ReadonlySet<number>): void {
    this.rows = this.rows.map((row, place) => ({ ...row, ticked: places.has(place) }));
    this.changed.fire();
  }

  /** One is rendered from other words. Resolves when it has its price. */
  say(place: number, prompt: string): Promise<void> {
    const row = this.rows[place];
    if (row?.promptField === undefined || prompt.trim() === '') return Promise.resolve();
    const inputs = frozenInputs({ ...row.draft.inputs, [row.promptField]: prompt });
    this.set(place, { draft: { ...row.draft, inputs }, prompt, isChanged: true, order: undefined, problem: undefined });
    return this.ask([place]);
  }

  /** Asks for the prices of all that is taken. Never rejects. */
  settle(): Promise<void> {
    return this.ask([...this.rows.keys()].filter((place) => this.rows[place]?.ticked));
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async ask(places: readonly number[]): Promise<void> {
    await eachOf(places, atOnce, async (place) => {
      const draft = this.rows[place]?.draft;
      if (!draft) return;
      const answer = await this.price(draft).then(
        (order) => ({ order, problem: undefined }),
        (problem: unknown) => ({ order: undefined, problem }),
      );
      // A price for other words is none of this row.
      if (this.rows[place]?.draft === draft) this.set(place, answer);
    });
  }

  private set(place: number, change: Partial<BillRow>): void {
    this.rows = this.rows.map((row, at) => (at === place ? { ...row, ...change } : row));
    this.changed.fire();
  }
}
