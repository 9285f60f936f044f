/** Something made on first use and then shared; a failure reaches all who waited, and the next tries again. */
export class Lazy<T> {
  private making: Promise<T> | undefined;
  private made: T | undefined;

  constructor(private readonly make: () => Promise<T>) {}

  get(): Promise<T> {
    this.making ??= this.make().then(
      (made) => (this.made = made),
      (error: unknown) => {
        this.making = undefined;
        throw error;
      },
    );
    return this.making;
  }

  /** The thing, once it's made; undefined before. */
  get ready(): T | undefined {
    return this.made;
  }
}
