/** The words that differ least from one, the closest first, at most `most`. Very long words aren't compared. */
export function closest(word: string, words: readonly string[], most: number): readonly string[] {
  return words
    .map((one) => ({ one, far: distance(word.toLowerCase(), one.toLowerCase()) }))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ one }) => one);
}

const longest = 100;

/** How many characters have to be inserted, removed, or replaced. */
function distance(from: string, to: string): number {
  if (from.length > longest || to.length > longest) return Infinity;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let taken = 1; taken <= from.length; taken++) {
    const next = [taken];
    for (let at = 1; at <= to.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (to[at - 1] === from[taken - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
