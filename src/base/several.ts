/** Something that couldn't be done, and why. */
export interface Failure<T> {
  readonly thing: T;
  readonly error: unknown;
}

/** Does it to one after the other. One that fails stops none of the others; resolves with those that did. */
export async function toEach<T>(things: readonly T[], act: (thing: T) => Promise<unknown>): Promise<Failure<T>[]> {
  const failures: Failure<T>[] = [];
  for (const thing of things) {
    try {
      await act(thing);
    } catch (error) {
      failures.push({ thing, error });
    }
  }
  return failures;
}
