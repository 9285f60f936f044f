import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runTests } from '@vscode/test-electron';
import { reasonOf } from '../../src/base/log';
import type { Version } from './codeServer';
import { desktopProgram, launcherIn } from './desktop';
import { Profile, type Settings } from './profile';
import { environment, type ReportLine, type TestResult } from './results';
import { root } from './root';

export interface HostTests {
  version: Version;
  /** Built Mocha modules. */
  modules: readonly string[];
  /** The folder to open; by default a new empty one. */
  workspace?: string;
  settings?: Settings;
  /** Where to save a screenshot after the tests; uses the server. */
  screenshot?: string;
}

/**
 * Runs tests inside the extension host of a real editor: on the desktop if available, else on the server. Never
 * rejects.
 */
export async function runHostTests(tests: HostTests): Promise<TestResult[]> {
  const profile = await Profile.create(tests.settings);
  const report = join(await profile.folderFor('report'), 'report.jsonl');
  let failure: string | undefined;
  try {
    const desktop = tests.screenshot === undefined ? await desktopProgram(tests.version) : undefined;
    await runTests({
      vscodeExecutablePath: desktop ?? (await launcherIn(await profile.folderFor('launcher'))),
      extensionDevelopmentPath: root,
      extensionTestsPath: join(root, 'out', 'test', 'editor', 'inHost.js'),
      extensionTestsEnv: {
        [environment.tests]: JSON.stringify(tests.modules),
        [environment.report]: report,
        [environment.settings]: JSON.stringify(tests.settings ?? {}),
        [environment.screenshot]: tests.screenshot,
      },
      launchArgs: [
        tests.workspace ?? (await profile.folderFor('project')),
        `--user-data-dir=${profile.userData}`,
        `--extensions-dir=${profile.extensions}`,
        ...(desktop === undefined ? [`--version=${tests.version}`] : []),
      ],
    });
  } catch (error) {
    failure = reasonOf(error);
  }
  const { results, ended } = await readReport(report);
  await profile.dispose();
  const complete = ended && (failure === undefined || results.some(({ outcome }) => outcome === 'failed'));
  if (complete) return results;
  const name = `VS Code ${tests.version} runs its tests to the end`;
  return [...results, { name, outcome: 'failed', took: 0, error: failure ?? 'It ended before.' }];
}

async function readReport(file: string): Promise<{ results: TestResult[]; ended: boolean }> {
  // Without a file no test has started.
  const text = await readFile(file, 'utf8').catch(() => '');
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as ReportLine]));
  return {
    results: lines.flatMap((line) => ('result' in line ? [line.result] : [])),
    ended: lines.some((line) => 'end' in line),
  };
}
