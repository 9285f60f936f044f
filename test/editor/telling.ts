import { relative } from 'node:path';
import type { TestResult } from './results';
import { root } from './root';

/** Prints the results of a suite that took this long, ms: one line, then each failure with its reason. */
export function tell(suite: string, results: readonly TestResult[], took: number): void {
  const skipped = results.filter(({ outcome }) => outcome === 'skipped');
  const counts = skipped.length > 0 ? `${summary(results)}, ${skipped.length} skipped` : summary(results);
  console.log(`${suite}: ${counts} (${seconds(took)})`);
  for (const { name, error } of results.filter(({ outcome }) => outcome === 'failed')) {
    console.log(`  ✗ ${name}\n${(error ?? '').replaceAll(/^/gm, '      ')}`);
  }
}

/** Prints the ten files whose tests took longest. */
export function tellSlowest(results: readonly TestResult[]): void {
  const took = new Map<string, number>();
  for (const { file, took: ms } of results) if (file !== undefined) took.set(file, (took.get(file) ?? 0) + ms);
  const slowest = [...took].sort(([, one], [, other]) => other - one).slice(0, 10);
  console.log('The slowest files:');
  for (const [file, ms] of slowest) console.log(`  ${relative(root, file)} (${seconds(ms)})`);
}

/** Lists the failures again, so that they're at the end of a long log; `.ci/run` collects these lines. */
export function tellFailed(results: readonly TestResult[]): void {
  for (const line of failedLines(results)) console.log(line);
}

/** A line for each failed test: its name, its file, and the first line of the reason. */
export function failedLines(results: readonly TestResult[]): string[] {
  return results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ name, file, error = '' }) => {
      const where = file === undefined ? '' : ` (${relative(root, file)})`;
      return `✗ ${name}${where}: ${error.split('\n', 1)[0]}`;
    });
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** The counts, in the form that all their readers expect. */
export function summary(results: readonly TestResult[]): string {
  const count = (wanted: TestResult['outcome']) => results.filter(({ outcome }) => outcome === wanted).length;
  return `${count('passed')} passed, ${count('failed')} failed`;
}
