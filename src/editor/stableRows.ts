/** The part of a quick pick that has the rows. */
interface RowBox<Row> {
  items: readonly Row[];
  activeItems: readonly Row[];
}

/**
 * The rows of a quick pick whose content changes. They are replaced only when something did change, since a click is
 * lost if its row is replaced during it. The active row stays active.
 */
export class StableRows<Row extends object> {
  private shown: readonly Row[] = [];

  /** `idOf` identifies a row, whatever it shows; a row without an ID doesn't stay active. */
  constructor(
    private readonly box: RowBox<Row>,
    private readonly idOf: (row: Row) => unknown,
  ) {}

  /** Shows these rows, with the one of id `active` as the active row. False when they're shown already. */
  show(rows: readonly Row[], active = this.active): boolean {
    const { shown } = this;
    if (rows.length === shown.length && rows.every((row, index) => showsSame(row, shown[index]))) return false;
    this.shown = rows;
    this.box.items = rows;
    this.box.activeItems = active === undefined ? [] : rows.filter((row) => this.idOf(row) === active);
    return true;
  }

  /** The id of the active row. */
  private get active(): unknown {
    const [row] = this.box.activeItems;
    return row && this.idOf(row);
  }
}

/** Compares references first: a model may be large. */
function showsSame(one: object, other: object | undefined): boolean {
  const left = new Map<string, unknown>(Object.entries(one));
  const right = new Map<string, unknown>(Object.entries(other ?? {}));
  return [...left.keys(), ...right.keys()].every((key) => isSameRow(left.get(key), right.get(key)));
}

function isSameRow(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
