/** Something made on first use and then shared; a failure is told to those who waited and tried again by the next. */
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

  /** What was made; undefined while nobody asked, or it is not ready. */
  get ready(): T | undefined {
    return this.made;
  }
}
