// `npm run editor -- --tests <module>`: runs any module of mocha tests inside a real editor.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import type { Version } from './codeServer';
import { runHostTests } from './hostTests';
import { summary, tell } from './telling';
import { root } from './root';

const usage = 'npm run editor -- --tests <module> [--workspace <folder>] [--vscode min|latest] [--screenshot <png>]';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      tests: { type: 'string' },
      workspace: { type: 'string' },
      vscode: { type: 'string', default: 'latest' },
      screenshot: { type: 'string' },
    },
  });
  if (values.tests === undefined || !isVersion(values.vscode)) throw new Error(`Usage: ${usage}`);
  const built = await mkdtemp(join(tmpdir(), 'model-catalog-tests-'));
  try {
    const began = performance.now();
    const results = await runHostTests({
      version: values.vscode,
      modules: [await javascriptOf(resolve(values.tests), built)],
      workspace: values.workspace === undefined ? undefined : resolve(values.workspace),
      screenshot: values.screenshot === undefined ? undefined : resolve(values.screenshot),
    });
    tell(`VS Code ${values.vscode}`, results, performance.now() - began);
    console.log(summary(results));
    process.exitCode = results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
  } finally {
    await rm(built, { recursive: true });
  }
}

/** Bundles TypeScript into `folder`; uses JavaScript as is. */
async function javascriptOf(module: string, folder: string): Promise<string> {
  if (!/\.[cm]?tsx?$/.test(module)) return module;
  const outfile = join(folder, basename(module).replace(/\.[cm]?tsx?$/, '.js'));
  await build({
    entryPoints: [module],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode'],
    // A module outside may need npm packages that exist only here.
    nodePaths: [join(root, 'node_modules')],
    logLevel: 'warning',
  });
  return outfile;
}

function isVersion(word: string): word is Version {
  return word === 'min' || word === 'latest';
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
