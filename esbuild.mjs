// Builds everything: the extension and its lazy parts, the form, the sandbox command, and the tests.
import { build, transform } from 'esbuild';
import { existsSync, readdirSync, readFileSync, rmSync, mkdirSync, writeFileSync } from 'node:fs';
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
  return result.metafile;
}

async function form() {
  const { metafile: script } = await build({
    ...common,
    metafile: true,
    entryPoints: { form: 'src/webview/main.tsx' },
    outdir: 'dist/webview',
    platform: 'browser',
    target: 'chrome134',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const { metafile: style } = await build({
    ...common,
    metafile: true,
    sourcemap: false,
    entryPoints: { form: 'media/form.css' },
    outdir: 'dist/webview',
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  });
  return [script, style];
}

/** The licences of everything that ships inside our files, from the packages themselves. */
function notices(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const packages = inputs.map((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter(Boolean);
  const texts = [...new Set(packages)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}`;
  });
  writeFileSync('dist/THIRD-PARTY-NOTICES.txt', texts.join(`\n\n${'-'.repeat(80)}\n\n`) + '\n');
}

/** Unit and fault tests are built without `external: vscode`, so the core cannot come to need an editor unnoticed. */
async function tests() {
  const testFiles = (folder) =>
    (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
      .filter((entry) => entry.isFile() && /\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
  const alike = {
    ...node,
    outbase: '.',
    outdir: 'out',
    format: 'cjs',
    packages: 'external',
    minify: false,
    sourcemap: 'linked',
  };
  const inEditor = testFiles('test/editor');
  await build({
    ...alike,
    packages: 'bundle',
    // Tools that load parts of themselves by path stay where npm put them.
    external: [
      'esbuild',
      'playwright-core',
      'mocha',
      'axe-core',
      '@vscode/test-electron',
      'fast-check',
      'file-type',
      'typescript',
    ],
    entryPoints: [...testFiles('test/unit'), ...testFiles('test/faults')],
  });
  await build({ ...alike, external: ['vscode'], entryPoints: [...inEditor, ...entries('test/editor'), 'test/run.ts'] });
}

/** The programs among the editor's test files: what a script of package.json or an editor loads by name. */
function entries(folder) {
  return ['start', 'editor', 'sandbox', 'inHost', 'launcher', 'screenshots'].map((name) => `${folder}/${name}.ts`);
}

rmSync('dist', { recursive: true, force: true });
const [host, webview] = await Promise.all([extension(), form(), ...(production ? [] : [tests()])]);
notices([host, ...webview]);
