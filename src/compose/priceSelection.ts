import type { PriceAnswer } from './priceComparison';

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
