// Builds everything: the extension and its lazy parts, the webviews, the sandbox command, and the tests. `--production` builds what ships, without
// the tests; `--bench` what ships and the benchmarks.
import { build } from 'esbuild';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { extensionFiles } from './build/extension.mjs';

const benching = process.argv.includes('--bench');
const production = benching || process.argv.includes('--production');
const common = { bundle: true, logLevel: 'warning', sourcemap: production ? false : 'linked', minify: production };
const node = { ...common, platform: 'node', target: 'node22', mainFields: ['module', 'main'] };

async function extension() {
  const { files, metafile } = await extensionFiles({ minify: production });
  for (const { path, code } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
  mkdirSync('out', { recursive: true });
  writeFileSync('out/extension.meta.json', JSON.stringify(metafile));
  return metafile;
}

async function webviews() {
  const { metafile: script } = await build({
    ...common,
    metafile: true,
    entryPoints: {
      form: 'src/webview/main.tsx',
      gallery: 'src/webview/gallery/main.tsx',
      compare: 'src/webview/compare/main.tsx',
      spend: 'src/webview/spend/main.tsx',
    },
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
    entryPoints: {
      form: 'media/form.css',
      gallery: 'media/gallery.css',
      compare: 'media/compare.css',
      spend: 'media/spend.css',
    },
    outdir: 'dist/webview',
    loader: { '.svg': 'dataurl' },
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

/** The README as the editor's own page shows it: pictures are loaded there from web addresses alone, and would be broken. */
function packagedReadme() {
  const paragraphs = readFileSync('README.md', 'utf8').split('\n\n');
  writeFileSync('dist/README.md', paragraphs.filter((paragraph) => !paragraph.startsWith('![')).join('\n\n'));
}

/** What runs beside the extension: each program in one file, below `out` where its source is below the clone. */
const programs = {
  ...node,
  outbase: '.',
  outdir: 'out',
  format: 'cjs',
  minify: false,
  sourcemap: 'linked',
};

/** The programs that the tests of faults start, and kill. */
const killed = ['driver', 'service'].map((name) => `test/faults/kill/${name}.ts`);

/** Unit and fault tests are built without `external: vscode`, so the core cannot come to need an editor unnoticed. */
async function tests() {
  const testFiles = (folder) =>
    (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
      .filter((entry) => entry.isFile() && /\.test\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
  const inEditor = testFiles('test/editor');
  await build({
    ...programs,
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
    entryPoints: [...testFiles('test/unit'), ...testFiles('test/faults'), ...killed],
  });
  await build({
    ...programs,
    packages: 'external',
    external: ['vscode'],
    entryPoints: [...inEditor, ...entries('test/editor'), 'test/run.ts'],
  });
}

/** The benchmarks, with what they load into an editor. */
async function benches() {
  const folder = 'test/bench';
  await build({
    ...programs,
    external: ['vscode', 'playwright-core'],
    entryPoints: ['main', 'one', 'serve', 'inHost', 'yardstick/extension'].map((name) => `${folder}/${name}.ts`),
  });
  copyFileSync(`${folder}/yardstick/package.json`, `out/${folder}/yardstick/package.json`);
}

/** The programs among the editor's test files: what a script of package.json or an editor loads by name. */
function entries(folder) {
  return ['start', 'editor', 'sandbox', 'inHost', 'launcher', 'screenshots'].map((name) => `${folder}/${name}.ts`);
}

rmSync('dist', { recursive: true, force: true });
const [host, webview] = await Promise.all([
  extension(),
  webviews(),
  ...(production ? [] : [tests()]),
  ...(benching ? [benches()] : []),
]);
notices([host, ...webview]);
if (production) packagedReadme();
