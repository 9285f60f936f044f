/**
 * Runs the work for each in order, at most `atOnce` concurrently. Starts no more once `goesOn` returns false; resolves
 * when the running ones have ended. Rejects with the first failure.
 */
export async function eachOf<T>(
  things: Iterable<T>,
  atOnce: number,
  act: (thing: T) => Promise<unknown>,
  goesOn: () => boolean = () => true,
): Promise<void> {
  const left = things[Symbol.iterator]();
  const work = async () => {
    while (goesOn()) {
      const next = left.next();
      if (next.done === true) return;
      await act(next.value);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
