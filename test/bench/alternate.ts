/** One side of a comparison: does the work once and resolves with its figure, or several. */
export type Work<Figure = number> = () => Promise<Figure>;

/** The figures of each side, in the order of the runs. */
export type Figures<Side extends string, Figure = number> = Readonly<Record<Side, readonly Figure[]>>;

/** The minimum number of runs for a median. */
export const leastRuns = 7;

/**
 * Runs all sides in turn, so that other load on the machine affects all of them; who is first changes with each round.
 * The first rounds are warm-ups and don't count.
 */
export async function alternate<Side extends string, Figure = number>(
  sides: Readonly<Record<Side, Work<Figure>>>,
  { runs = leastRuns, warmUp = 1 }: { readonly runs?: number; readonly warmUp?: number } = {},
): Promise<Figures<Side, Figure>> {
  const names = Object.keys(sides) as Side[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as Figure[]])) as Record<Side, Figure[]>;
  for (let round = -warmUp; round < runs; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const figure = await sides[name]();
      if (round >= 0) figures[name].push(figure);
    }
  }
  return figures;
}

/** How long the work takes, ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}
