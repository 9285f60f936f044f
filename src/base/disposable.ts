/** Something that must be let go. */
export interface Disposable {
  dispose(): unknown;
}

/** Owns disposables and lets them go in reverse order; one that fails does not keep the others from going. */
export class Owned implements Disposable {
  private readonly things: Disposable[] = [];
  private gone = false;

  /** Takes ownership and returns the same thing. Added after `dispose`, it is let go at once. */
  add<T extends Disposable>(thing: T): T {
    if (this.gone) thing.dispose();
    else this.things.push(thing);
    return thing;
  }

  dispose(): void {
    this.gone = true;
    const errors: unknown[] = [];
    for (const thing of this.things.splice(0).reverse()) {
      try {
        thing.dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw new AggregateError(errors, 'could not let everything go');
  }
}
