import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import type { TestResult } from '../editor/results';
import { root } from '../editor/root';
import { failedLines } from '../editor/telling';

test('a failure is listed with its name, its file, and the first line of its reason', () => {
  const results: TestResult[] = [
    { name: 'it goes well', outcome: 'passed', took: 1 },
    {
      name: 'a row opens',
      outcome: 'failed',
      took: 1,
      file: join(root, 'test', 'unit', 'a.test.ts'),
      error: 'Error: no row\n    at …',
    },
    { name: 'VS Code runs its tests to the end', outcome: 'failed', took: 0, error: 'It ended before.' },
  ];
  assert.deepEqual(failedLines(results), [
    `✗ a row opens (${join('test', 'unit', 'a.test.ts')}): Error: no row`,
    '✗ VS Code runs its tests to the end: It ended before.',
  ]);
});

test('a full run ends with what failed, and all counts', { skip: process.platform === 'win32' }, () => {
  const lines = endOfRun(`case "$*" in
    test) printf '%s\\n' '  ✗ a row opens' '✗ a row opens (a.test.ts): no row' '3 passed, 1 failed'; exit 1 ;;
    'run test:rest') exit 1 ;;
    'run check') exit 1 ;;
  esac`);
  assert.deepEqual(lines.slice(-4), [
    '✗ a row opens (a.test.ts): no row',
    '✗ npm run test:rest broke off',
    '✗ npm run check',
    '4 passed, 3 failed',
  ]);
});

test('a successful run ends with the counts only', { skip: process.platform === 'win32' }, () => {
  const lines = endOfRun(`case "$*" in test|*rest) echo '3 passed, 0 failed' ;; esac`);
  assert.deepEqual(lines, ['3 passed, 0 failed', '3 passed, 0 failed', '8 passed, 0 failed']);
});

/** What `.ci/run` prints if npm is this script. */
function endOfRun(npm: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'model-catalog-npm-'));
  try {
    writeFileSync(join(folder, 'npm'), `#!/usr/bin/env bash\n${npm}\n`);
    chmodSync(join(folder, 'npm'), 0o755);
    const path = `${folder}${delimiter}${process.env['PATH'] ?? ''}`;
    const run = spawnSync(join(root, '.ci', 'run'), { encoding: 'utf8', env: { ...process.env, PATH: path } });
    return run.stdout.trimEnd().split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
