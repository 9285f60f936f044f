import type { TestResult } from './editor/results';

/** What Playwright and `until` say when they have waited for so long in vain. */
const waitedInVain = /Timeout \d+ms exceeded|did not come true within \d+ ms/;

/** What Node says of a test whose suite could not even begin; the suite's own failure comes after it. */
const neverBegan = /did not finish before its parent/;

/** More than so many are no matter of a busy machine. */
const most = 4;

/**
 * The sources whose first failure was that what a test waited for did not come in time: what failed after it in the
 * same editor may have come of it. None where the first failure was an assertion, and none at all where there are more
 * than a busy machine explains.
 */
export function cameTooLate(results: readonly TestResult[]): string[] {
  const first = new Map<string | undefined, TestResult>();
  for (const result of results) {
    const began = !neverBegan.test(result.error ?? '');
    if (result.outcome === 'failed' && began && !first.has(result.file)) first.set(result.file, result);
  }
  const late = [...first].filter(([file, { error }]) => file !== undefined && waitedInVain.test(error ?? ''));
  return late.length <= most ? late.map(([file]) => file!) : [];
}
