/** A value created on first use and then shared. A failure reaches everyone waiting, and the next use tries again. */
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

  /** The value once it exists; undefined before. */
  get ready(): T | undefined {
    return this.made;
  }
}
