// Builds the tests, the programs they start, and the benchmarks.
import { build, context } from 'esbuild';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Programs other than the extension, one file each, at the path of its source below `out`. */
const programs = {
  outbase: '.',
  outdir: 'out',
  format: 'cjs',
  minify: false,
  sourcemap: 'linked',
};

/** The programs that tests start, and kill. */
const killed = ['faults/kill/driver', 'faults/kill/service', 'unit/relay/window'].map((name) => `test/${name}.ts`);

/** The files of tests below a folder. */
function testFiles(folder) {
  return (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
    .filter((entry) => entry.isFile() && /\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Built without `external: vscode`, so that the core can't depend on the editor unnoticed. */
function withoutEditor(node, entryPoints) {
  return {
    ...node,
    ...programs,
    // Tools that load their own files by path can't be bundled.
    external: [
      'esbuild',
      'playwright-core',
      'mocha',
      'axe-core',
      '@vscode/test-electron',
      'fast-check',
      'file-type',
      '@modelcontextprotocol/client',
      '@modelcontextprotocol/sdk',
      'typescript',
    ],
    entryPoints,
  };
}

/** Builds all tests, and the programs they start. `node` is how the extension is built for Node. */
export async function buildTests(node) {
  const inEditor = testFiles('test/editor');
  await build(withoutEditor(node, [...testFiles('test/unit'), ...testFiles('test/faults'), ...killed]));
  await build({
    ...node,
    ...programs,
    packages: 'external',
    external: ['vscode'],
    entryPoints: [...inEditor, ...entries('test/editor'), 'test/run.ts', 'test/house/main.ts'],
  });
}

/** Builds the benchmarks, and the extensions they load into an editor. */
export async function buildBenches(node) {
  const folder = 'test/bench';
  await build({
    ...node,
    ...programs,
    external: ['vscode', 'playwright-core'],
    entryPoints: ['main', 'one', 'serve', 'inHost', 'offers', 'yardstick/extension'].map(
      (name) => `${folder}/${name}.ts`,
    ),
  });
  copyFileSync(`${folder}/yardstick/package.json`, `out/${folder}/yardstick/package.json`);
}

/** The programs among the editor's tests, which scripts or an editor start by name. */
function entries(folder) {
  return ['start', 'editor', 'sandbox', 'inHost', 'launcher', 'screenshots'].map((name) => `${folder}/${name}.ts`);
}

/** Builds the tests that need no editor again whenever a source changes. */
export async function watchTests(node) {
  await (await context(withoutEditor(node, testFiles('test/unit')))).watch();
}
