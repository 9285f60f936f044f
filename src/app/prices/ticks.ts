import type { PriceAnswer } from './priceComparison';

/** Which answers of a comparison are ticked: only such as have a price. */
export class Ticks {
  private ids: ReadonlySet<string>;

  /** `ids` of models that are ticked as soon as they have a price. */
  constructor(ids: readonly string[]) {
    this.ids = new Set(ids);
  }

  has({ says, model }: PriceAnswer): boolean {
    return says === 'price' && this.ids.has(model.id);
  }

  /**
   * The editor says that these of the rows `shown` are selected now; undefined is the row that asks for more. `more`
   * when that one was chosen by itself: who selects all rows at once does not mean it.
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
