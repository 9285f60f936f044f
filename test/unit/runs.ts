import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { growsInProportion } from './growth';

/** A long run of something, of at most this many characters. */
export interface Run {
  readonly name: string;
  readonly of: (length: number) => string;
}

/** Puts a run into its surroundings. */
export type Place = (run: string) => string;

/** Every ASCII character, and others that readers treat specially. */
const characters = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...['é', '図', '😀', '\u00a0', '\u2028', '\ufeff', '\ufffe', '\ud800', 'İ', 'ﬀ'],
];

/** Runs of each character, of each of these words, and of these pairs, nested and left open. */
export function runsOf(words: readonly string[], pairs: readonly (readonly [open: string, close: string])[]): Run[] {
  return [
    ...[...characters, ...words].map((word) => ({
      name: JSON.stringify(word),
      of: (length: number) => times(word, length),
    })),
    ...pairs.flatMap(([open, close]) => [
      { name: `${open} open`, of: (length: number) => times(open, length) },
      { name: `${open} in each other`, of: (length: number) => times(open, length / 2) + times(close, length / 2) },
      { name: `${open} one by one`, of: (length: number) => times(open + close, length) },
    ]),
  ];
}

/** The names of those that take disproportionately long to read when they're eight times longer. */
export function outOfProportion(runs: readonly Run[], length: number, read: (text: string) => unknown): string[] {
  return runs
    .filter(({ of }) => {
      const [short, long] = [of(length / 8), of(length)];
      return !growsInProportion(
        () => read(short),
        () => read(long),
      );
    })
    .map(({ name }) => name);
}

/** Asserts that each run is read at each place in proportional time, and returns how many inputs that were. */
export function readAll(
  t: TestContext,
  runs: readonly Run[],
  places: readonly Place[],
  read: (text: string) => unknown,
  length = 100_000,
): void {
  const slow = places.flatMap((place) =>
    outOfProportion(runs, length, (run) => read(place(run))).map((name) => `${place('…')}: ${name}`),
  );
  t.diagnostic(`${runs.length * places.length * 2} inputs`);
  assert.deepEqual(slow, []);
}

function times(word: string, length: number): string {
  return word.repeat(Math.ceil(length / word.length));
}
