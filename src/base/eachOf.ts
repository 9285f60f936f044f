/**
 * Does it to each of them in their order, to at most `atOnce` at the same time. Begins with no other once `goesOn` says
 * no; resolves when those begun have ended. Rejects with the first failure.
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
