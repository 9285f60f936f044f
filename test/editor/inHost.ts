// VS Code loads this as `extensionTestsPath`: it runs Mocha modules (`suite`, `test`) inside the extension host.
import { appendFileSync } from 'node:fs';
import Mocha from 'mocha';
import { reasonOf } from '../../src/base/log';
import { environment, type ReportLine, type TestResult } from './results';

/** Resolves when every test passed; otherwise rejects, which VS Code turns into its exit code. */
export async function run(): Promise<void> {
  const file = process.env[environment.report];
  const report = (line: ReportLine) => {
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
  };
  const mocha = new Mocha({ ui: 'tdd', timeout: 60_000 });
  let failures = 0;
  try {
    for (const module of JSON.parse(process.env[environment.tests] ?? '[]') as string[]) mocha.addFile(module);
    failures = await new Promise<number>((resolve) => {
      const runner = mocha.run(resolve);
      runner.on('pass', (test) => report({ result: resultOf(test, 'passed') }));
      runner.on('pending', (test) => report({ result: resultOf(test, 'skipped') }));
      runner.on('fail', (test, error: unknown) => report({ result: resultOf(test, 'failed', error) }));
    });
  } catch (error) {
    failures = 1;
    report({ result: { name: 'the tests can be loaded', outcome: 'failed', took: 0, error: textOf(error) } });
  }
  report({ end: true });
  if (failures > 0) throw new Error(`${failures} failed`);
}

function resultOf(test: Mocha.Runnable, outcome: TestResult['outcome'], error?: unknown): TestResult {
  const result: TestResult = { name: test.fullTitle(), outcome, took: test.duration ?? 0, file: test.file };
  return error === undefined ? result : { ...result, error: textOf(error) };
}

/** The error with the project's part of its stack. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return reasonOf(error);
  const lines = (error.stack ?? reasonOf(error)).split('\n');
  return lines.filter((line) => !/^\s+at .*(node:internal|extensionHostProcess|node_modules)/.test(line)).join('\n');
}
