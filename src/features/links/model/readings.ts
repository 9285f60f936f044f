/** What was read of something at a version. */
interface Reading<T> {
  readonly version: number;
  readonly result: Promise<T>;
  isOver: boolean;
  /** The reading that follows this one, of the version that there is by then. */
  next?: Promise<T>;
}

/**
 * Reads things that change, each version at most once, and never two versions of a thing at the same time. Of those
 * that follow one another while it's read, only the newest is read next: whoever asked for another gets that one.
 */
export class Readings<Thing extends { readonly version: number }, T> {
  private readonly readings = new WeakMap<Thing, Reading<T>>();

  /** `read` never rejects. */
  constructor(private readonly read: (thing: Thing) => Promise<T>) {}

  /** The result for the version there is now, or for a later one. */
  of(thing: Thing): Promise<T> {
    const { version } = thing;
    const known = this.readings.get(thing);
    if (known?.version === version) return known.result;
    if (known && !known.isOver) return (known.next ??= known.result.then(() => this.of(thing)));
    const result = this.read(thing);
    const reading: Reading<T> = { version, result, isOver: false };
    this.readings.set(thing, reading);
    void result.then(() => (reading.isOver = true));
    return result;
  }
}
