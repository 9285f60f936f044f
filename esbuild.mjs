// Builds everything: the extension and its lazy parts, the webviews, the sandbox command, and the tests. `--production` builds what ships, without
// the tests; `--bench` what ships and the benchmarks; `--watch` builds the tests that need no editor, and again whenever a source changes.
import { build, context } from 'esbuild';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { extensionFiles } from './build/extension.mjs';
import { packagedReadme } from './build/readme.mjs';

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
      form: 'src/webview/form/main.tsx',
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

/** What a package's own licence file leaves out. */
const beyond = {
  // Compiled to WebAssembly inside undici, under the same licence by another author.
  undici: (mit) => [
    'Contains llhttp (MIT)',
    `Copyright Fedor Indutny, 2018.\n\n${mit.slice(mit.indexOf('Permission is hereby granted'))}`,
  ],
  '@vscode/codicons': () => ['Changed: single icons are taken out of the set, and some of them are recolored.'],
};

/** The licences of everything that ships inside our files, from the packages themselves. */
function notices(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const packages = inputs.map((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter(Boolean);
  const texts = [...new Set(packages)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
    return [`${name} ${version} (${license})`, text, ...(beyond[name]?.(text) ?? [])].join('\n\n');
  });
  writeFileSync('dist/THIRD-PARTY-NOTICES.txt', texts.join(`\n\n${'-'.repeat(80)}\n\n`) + '\n');
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

/** The programs that tests start, and kill. */
const killed = ['faults/kill/driver', 'faults/kill/service', 'unit/relay/window'].map((name) => `test/${name}.ts`);

/** The files of tests below a folder. */
function testFiles(folder) {
  return (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [])
    .filter((entry) => entry.isFile() && /\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Built without `external: vscode`, so that the core cannot come to need an editor unnoticed. */
function withoutEditor(entryPoints) {
  return {
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
      '@modelcontextprotocol/client',
      '@modelcontextprotocol/sdk',
      'typescript',
    ],
    entryPoints,
  };
}

async function tests() {
  const inEditor = testFiles('test/editor');
  await build(withoutEditor([...testFiles('test/unit'), ...testFiles('test/faults'), ...killed]));
  await build({
    ...programs,
    packages: 'external',
    external: ['vscode'],
    entryPoints: [...inEditor, ...entries('test/editor'), 'test/run.ts', 'test/house/main.ts'],
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

if (process.argv.includes('--watch')) {
  await (await context(withoutEditor(testFiles('test/unit')))).watch();
} else {
  await all();
}

async function all() {
  rmSync('dist', { recursive: true, force: true });
  const [host, webview] = await Promise.all([
    extension(),
    webviews(),
    ...(production ? [] : [tests()]),
    ...(benching ? [benches()] : []),
  ]);
  notices([host, ...webview]);
  if (production) writeFileSync('dist/README.md', packagedReadme());
}
