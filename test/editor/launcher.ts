// Replaces the desktop program: takes its arguments, and runs them in VS Code as a server with a headless browser.
import { parseArgs } from 'node:util';
import { reasonOf } from '../../src/base/log';
import type { Version } from './codeServer';
import type { Settings } from './profile';
import { environment } from './results';
import { openWorkbench } from './workbench';

/** The user's settings: more than any test spends. */
const strict = { 'modelCatalog.budget.perDay': 90_000 };
/** Machine settings, which a repository's `devcontainer.json` can write: they must not loosen the user's. */
const loose = {
  'modelCatalog.budget.perDay': 100_000,
  'modelCatalog.confirmAbove': 100_000,
};

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: 'string' },
    extensionTestsPath: { type: 'string' },
    version: { type: 'string' },
  },
});

/** Resolves with the exit code of the tests. */
async function main(): Promise<number> {
  const settings = JSON.parse(process.env[environment.settings] ?? '{}') as Settings;
  const workbench = await openWorkbench({
    version: values['version'] as Version,
    workspace: positionals[0],
    extension: values['extensionDevelopmentPath'] as string,
    tests: values['extensionTestsPath'] as string,
    settings: { ...strict, ...settings },
    machineSettings: loose,
  });
  try {
    const code = await workbench.ended;
    const screenshot = process.env[environment.screenshot];
    if (screenshot !== undefined) await workbench.screenshot(screenshot);
    return code;
  } finally {
    await workbench.close();
  }
}

// The parent process holds the other end; when it exits, so must the editor.
process.stdin.resume().once('end', () => process.exit(1));
main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(reasonOf(error));
    process.exit(1);
  },
);
