/** Something that must be disposed of. */
export interface Disposable {
  dispose(): unknown;
}

/** Owns disposables and disposes of them in reverse order, even if one of them throws. */
export class Disposables implements Disposable {
  private readonly things: Disposable[] = [];
  private gone = false;

  /** Takes ownership and returns the same object. After `dispose`, it's disposed of at once. */
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
    if (errors.length > 0) throw new AggregateError(errors, 'Disposal failed');
  }
}
