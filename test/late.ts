import type { TestResult } from './editor/results';

/** The messages of Playwright and `until` after a timeout. */
const waitedInVain = /Timeout \d+ms exceeded|did not come true within \d+ ms/;

/** Node's message for a test whose suite couldn't even start; the suite's own failure follows it. */
const neverBegan = /did not finish before its parent/;

/** More failures than this aren't due to a busy machine. */
const most = 4;

/**
 * The sources whose first failure was a timeout, which may have caused the later ones in the same editor. Excludes
 * sources whose first failure was an assertion. Empty if there are more than a busy machine explains.
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
