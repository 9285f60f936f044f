import type { TestResult } from './results';

/** Prints what came of a suite: one line, then each failure with its reason. */
export function tell(suite: string, results: readonly TestResult[]): void {
  const skipped = results.filter(({ outcome }) => outcome === 'skipped');
  const took = results.reduce((sum, result) => sum + result.took, 0);
  const counts = skipped.length > 0 ? `${summary(results)}, ${skipped.length} skipped` : summary(results);
  console.log(`${suite}: ${counts} (${(took / 1000).toFixed(1)} s)`);
  for (const { name, error } of results.filter(({ outcome }) => outcome === 'failed')) {
    console.log(`  ✗ ${name}\n${(error ?? '').replaceAll(/^/gm, '      ')}`);
  }
}

/** The counts in the one form everything that reads them knows. */
export function summary(results: readonly TestResult[]): string {
  const count = (wanted: TestResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length;
  return `${count('passed')} passed, ${count('failed')} failed`;
}
