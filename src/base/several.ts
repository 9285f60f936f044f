/** Something that couldn't be done, and why. */
export interface Failure<T> {
  readonly thing: T;
  readonly error: unknown;
}

/** Does it for each in turn. A failure doesn't stop the rest; resolves with those that succeeded. */
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
