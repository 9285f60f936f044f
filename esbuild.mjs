// Builds everything: the extension and its lazy parts, the form, the sandbox command, and the tests.
import { build, transform } from 'esbuild';
import { existsSync, readdirSync, rmSync, mkdirSync, writeFileSync, copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const production = process.argv.includes('--production');
const common = { bundle: true, logLevel: 'warning', sourcemap: production ? false : 'linked', minify: production };
const node = { ...common, platform: 'node', target: 'node22', mainFields: ['module', 'main'] };

/** Splits at every `import()`, so that what is not used is not even parsed; a host loads CommonJS fastest. */
async function extension() {
  const result = await build({
    ...node,
    entryPoints: { extension: 'src/extension.ts', sandbox: 'src/sandbox/main.ts' },
    outdir: 'dist',
    format: 'esm',
    splitting: true,
    chunkNames: 'lazy/[name]-[hash]',
    external: ['vscode'],
    sourcemap: false,
    metafile: true,
    write: false,
  });
  for (const file of result.outputFiles) {
    const { code } = await transform(file.text, {
      format: 'cjs',
      target: 'node22',
      platform: 'node',
      minify: production,
      supported: { 'dynamic-import': false },
    });
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(file.path, code);
  }
  mkdirSync('out', { recursive: true });
  writeFileSync('out/extension.meta.json', JSON.stringify(result.metafile));
}

async function form() {
  await build({
    ...common,
    entryPoints: { form: 'src/webview/main.tsx' },
    outdir: 'dist/webview',
    platform: 'browser',
    target: 'chrome134',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  await build({
    ...common,
    sourcemap: false,
    entryPoints: { form: 'media/form.css' },
    outdir: 'dist/webview',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  });
}

/** Unit and fault tests are built without `external: vscode`, so the core cannot come to need an editor unnoticed. */
async function tests() {
  const testFiles = (folder) =>
    (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
      .filter((entry) => entry.isFile() && /\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
  const alike = { ...node, outbase: '.', outdir: 'out', format: 'cjs', packages: 'external', minify: false, sourcemap: 'linked' };
  const inEditor = testFiles('test/editor');
  await build({
    ...alike,
    packages: 'bundle',
    // Tools that load parts of themselves by path stay where npm put them.
    external: ['esbuild', 'playwright-core', 'mocha', 'axe-core', '@vscode/test-electron', 'fast-check', 'file-type', 'typescript'],
    entryPoints: [...testFiles('test/unit'), ...testFiles('test/faults')],
  });
  await build({ ...alike, external: ['vscode'], entryPoints: [...inEditor, ...entries('test/editor'), 'test/run.ts'] });
}

/** The programs among the editor's test files: what a script of package.json or an editor loads by name. */
function entries(folder) {
  return ['start', 'editor', 'sandbox', 'inHost', 'launcher'].map((name) => `${folder}/${name}.ts`);
}

rmSync('dist', { recursive: true, force: true });
await Promise.all([extension(), form(), ...(production ? [] : [tests()])]);
copyFileSync('node_modules/@vscode/codicons/dist/codicon.ttf', 'dist/webview/codicon.ttf');
