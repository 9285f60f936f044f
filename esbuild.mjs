// Builds everything: the extension and its lazy parts, the webviews, the sandbox command, and the tests. `--production`
// builds only what ships; `--bench` what ships and the benchmarks; `--watch` the tests that need no editor, again
// whenever a source changes.
import { build, context } from 'esbuild';
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, mkdirSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

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
  mkdirSync('dist/fit', { recursive: true });
  for (const codec of codecs)
    copyFileSync(`node_modules/@jsquash/${codec}.wasm`, `dist/fit/${posix.basename(codec)}.wasm`);
  mkdirSync('out', { recursive: true });
  writeFileSync('out/extension.meta.json', JSON.stringify(metafile));
  return metafile;
}

/** The WebAssembly modules that `fit.mjs` loads, each only when it's needed. */
const codecs = [
  'jpeg/codec/dec/mozjpeg_dec',
  'jpeg/codec/enc/mozjpeg_enc',
  'png/codec/pkg/squoosh_png_bg',
  'resize/lib/resize/pkg/squoosh_resize_bg',
  'webp/codec/dec/webp_dec',
  'webp/codec/enc/webp_enc',
];

async function webviews() {
  const { metafile: script } = await build({
    ...common,
    metafile: true,
    entryPoints: {
      form: 'src/webview/form/main.tsx',
      gallery: 'src/webview/gallery/main.tsx',
      compare: 'src/webview/compare/main.tsx',
      spend: 'src/webview/spend/main.tsx',
      origin: 'src/webview/origin/main.tsx',
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
      origin: 'media/origin.css',
    },
    outdir: 'dist/webview',
    loader: { '.svg': 'dataurl' },
  });
  return [script, style];
}

/** Notices missing from a package's own license file. */
const beyond = {
  // Compiled to WebAssembly inside undici, under the same license by another author.
  undici: (mit) => [
    'Contains llhttp (MIT)',
    `Copyright Fedor Indutny, 2018.\n\n${mit.slice(mit.indexOf('Permission is hereby granted'))}`,
  ],
  // Compiled to WebAssembly inside them.
  '@jsquash/jpeg': (_, folder) => codecNotice('Contains MozJPEG (BSD-3-Clause, IJG, and Zlib)', folder, 'codec'),
  '@jsquash/png': (_, folder) => codecNotice('Contains code by Google (BSD-3-Clause)', folder, 'codec'),
  '@jsquash/resize': (_, folder) => codecNotice('Contains resize (MIT)', folder, 'lib/resize'),
  '@jsquash/webp': (_, folder) => codecNotice('Contains libwebp (BSD-3-Clause)', folder, 'codec'),
  '@vscode/codicons': () => ['Changed: single icons are taken out of the set, and some of them are recolored.'],
};

function codecNotice(title, folder, inside) {
  return [title, readFileSync(join(folder, inside, 'LICENSE.codec.md'), 'utf8').trim()];
}

/** The licenses of everything bundled into our files, from the packages themselves. */
function notices(metafiles) {
  const inputs = metafiles.flatMap((metafile) => Object.keys(metafile.inputs));
  const packages = inputs.map((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter(Boolean);
  const texts = [...new Set(packages)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
    return [`${name} ${version} (${license})`, text, ...(beyond[name]?.(text, folder) ?? [])].join('\n\n');
  });
  writeFileSync('dist/THIRD-PARTY-NOTICES.txt', texts.join(`\n\n${'-'.repeat(80)}\n\n`) + '\n');
}

/** Programs other than the extension, one file each, at the path of its source below `out`. */
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

/** Built without `external: vscode`, so that the core can't depend on the editor unnoticed. */
function withoutEditor(entryPoints) {
  return {
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

/** The benchmarks, and the extensions they load into an editor. */
async function benches() {
  const folder = 'test/bench';
  await build({
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

const walkthrough = 'To see it in pictures, run **Model Catalog: Get Started** from the Command Palette.';

/**
 * The README for the extension's page in the editor, which loads images from websites only, neither from the package
 * nor from data URLs: a pointer to the walkthrough replaces the first image, and the others are left out. Links to
 * source files become their names.
 */
export function packagedReadme() {
  const image = /!\[[^\]]*\]\(media\/[^)]+\)/;
  return readFileSync('README.md', 'utf8')
    .replace(image, walkthrough)
    .replaceAll(new RegExp(`${image.source}\\n\\n`, 'g'), '')
    .replaceAll(/\[([^\]]*)\]\((?!https:|#)[^)]+\)/g, '`$1`');
}

// Bundles the extension so that a window loads little when it opens: `extension.js` is all it needs then. The rest
// is split at every `import()`, so that unused code isn't even parsed. CommonJS, because a host loads that fastest;
// esbuild splits only ES modules, so they are converted.
//
// Measured twice on a busy machine, activation takes 29.6 and 33.0 ms this way, 37.1 and 56.9 ms split as ES modules,
// and 77.5 and 97.2 ms in one file: at least 7.5 ms are gained. A plainer way that costs at most 5 ms should replace
// it.
const inMemory = {
  bundle: true,
  logLevel: 'warning',
  platform: 'node',
  target: 'node22',
  mainFields: ['module', 'main'],
  // An escaped “…” would take twice the bytes.
  charset: 'utf8',
  write: false,
};
const cjs = { ...inMemory, format: 'cjs', supported: { 'dynamic-import': false } };
const entry = 'dist/extension.js';
const sharedPath = 'dist/lazy/shared.js';

/** Up to this size a module may be loaded before it's needed; bytes before minification. */
const small = 8_000;

/**
 * The extension's files in memory: each with its path and code, and their metafile. `sandbox.js` runs the sandbox
 * alone, `documents.js` is the thread that reads large documents, `fit.mjs` the one that fits an image, `mcp.mjs` is the
 * program that outside agents run, and `check.mjs` checks render files without an editor.
 */
export async function extensionFiles({ minify }) {
  const split = await splitExtension();
  const joined = new Map([...coreOf(split.outputs), ...sharedOf(split.outputs)]);
  const alone = [...split.texts.keys()].filter((path) => !joined.has(path));
  const files = await Promise.all([
    ...[entry, sharedPath].map((path) => converted(path, joinedSource(path, joined), { split, joined, minify })),
    ...alone.map((path) => converted(path, split.texts.get(path), { split, joined, minify })),
    program('src/sandbox/main.ts', 'dist/sandbox.js', { minify }),
    program('src/documents/program.ts', 'dist/documents.js', { minify }),
    program('src/fit/program.ts', 'dist/fit.mjs', { minify, format: 'esm' }),
    program('src/relay/main.ts', 'dist/mcp.mjs', { minify, format: 'esm' }),
    program('src/check/main.ts', 'dist/check.mjs', { minify, format: 'esm' }),
  ]);
  const inputs = Object.assign({}, split.inputs, ...files.map((file) => file.inputs));
  return { files, metafile: { inputs, outputs: outputsOf(split.outputs, joined) } };
}

/** The extension as ES modules: one for each set of lazy parts that share code. */
async function splitExtension() {
  const { outputFiles, metafile } = await build({
    ...inMemory,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist',
    format: 'esm',
    splitting: true,
    chunkNames: 'lazy/[name]-[hash]',
    external: ['vscode'],
    plugins: [oneParser],
    metafile: true,
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [pathOf(path), withPlainEditor(text)]));
  return { texts, inputs: metafile.inputs, outputs: metafile.outputs };
}

/**
 * Undici has two builds of its response parser. The one for processors with vector instructions isn't faster for the
 * few headers we get; the other runs everywhere.
 */
const oneParser = {
  name: 'one parser',
  setup({ onResolve }) {
    onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace('_simd', '')),
    }));
  },
};

/**
 * Requires the editor's API instead of importing it: a converted import copies its hundreds of names in each module,
 * which takes milliseconds at every start.
 */
function withPlainEditor(text) {
  return text.replace(/^import \* as (\w+) from "vscode";$/gm, 'const $1 = require("vscode");');
}

/** The modules that load with the extension: each with its file, and the name that file exports it by. */
function coreOf(outputs) {
  const core = new Map([[entry, { file: entry, name: 'extension' }]]);
  // A map also iterates over entries added meanwhile.
  for (const path of core.keys())
    for (const imported of importsOf(outputs, path))
      if (!core.has(imported)) core.set(imported, { file: entry, name: `part${core.size}` });
  return core;
}

/**
 * The small modules that several lazy parts share, joined into one file: finding a file takes longer than reading a few
 * more bytes. Each needs only the core and others of these.
 */
function sharedOf(outputs) {
  const core = coreOf(outputs);
  const isSmall = (path) => !core.has(path) && !outputs[path].entryPoint && outputs[path].bytes <= small;
  let shared = Object.keys(outputs).filter(isSmall);
  for (let before = Infinity; shared.length < before;) {
    before = shared.length;
    shared = shared.filter((path) =>
      importsOf(outputs, path).every((found) => core.has(found) || shared.includes(found)),
    );
  }
  return new Map(shared.map((path, index) => [path, { file: sharedPath, name: `part${index}` }]));
}

/** Our modules that a module imports statically. */
function importsOf(outputs, path) {
  return outputs[path].imports
    .filter(({ path: imported, kind }) => kind === 'import-statement' && imported in outputs)
    .map(({ path: imported }) => imported);
}

function joinedSource(file, joined) {
  const members = [...joined].filter(([, home]) => home.file === file);
  const exports = members.map(([path, { name }]) =>
    path === entry ? `export * from '${pathFrom(file, path)}';` : `export * as ${name} from '${pathFrom(file, path)}';`,
  );
  return exports.join('\n');
}

/** One file of the split extension as CommonJS, with the modules joined into it; requires others from their files. */
async function converted(path, source, { split, joined, minify }) {
  const plugin = {
    name: 'split',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\.?\// }, ({ path: imported, resolveDir, namespace }) => {
        const found = pathOf(resolve(resolveDir, imported));
        const home = joined.get(found);
        if (namespace === 'elsewhere' || !home) return { path: pathFrom(path, found), external: true };
        return { path: found, namespace: home.file === path ? 'here' : 'elsewhere' };
      });
      onLoad({ filter: /.*/, namespace: 'here' }, ({ path: found }) => ({
        contents: split.texts.get(found),
        resolveDir: dirname(resolve(found)),
      }));
      onLoad({ filter: /.*/, namespace: 'elsewhere' }, ({ path: found }) => {
        const { file, name } = joined.get(found);
        return {
          contents: `export const { ${split.outputs[found].exports.join(', ')} } = require('${pathFrom(path, file)}').${name};`,
          resolveDir: dirname(resolve(path)),
        };
      });
    },
  };
  const stdin = { contents: source, resolveDir: dirname(resolve(path)), sourcefile: path };
  // Not for Node, or each file would list its exports again for ES modules, which never import it.
  const platform = 'neutral';
  const external = ['vscode', ...builtinModules, 'node:*'];
  const { outputFiles } = await build({ ...cjs, platform, minify, stdin, external, plugins: [plugin] });
  return { path: resolve(path), code: outputFiles[0].text };
}

async function program(source, path, options) {
  const { outputFiles, metafile } = await build({ ...cjs, ...options, entryPoints: [source], metafile: true });
  return { path: resolve(path), code: outputFiles[0].text, inputs: metafile.inputs };
}

/** The metafile of the files as they're written. */
function outputsOf(outputs, joined) {
  const fileOf = (path) => joined.get(path)?.file ?? path;
  const written = {};
  for (const [path, { inputs, imports }] of Object.entries(outputs)) {
    const file = (written[fileOf(path)] ??= { inputs: {}, imports: [] });
    Object.assign(file.inputs, inputs);
    const moved = imports.map((imported) => ({ ...imported, path: fileOf(imported.path) }));
    file.imports.push(...moved.filter((imported) => imported.path !== fileOf(path)));
  }
  return written;
}

/** The path relative to the project, as in the metafile. */
function pathOf(file) {
  return relative(process.cwd(), file).replaceAll('\\', '/');
}

function pathFrom(file, other) {
  const path = posix.relative(posix.dirname(file), other);
  return path.startsWith('.') ? path : `./${path}`;
}

// Tests import this file without building anything.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--watch')) await (await context(withoutEditor(testFiles('test/unit')))).watch();
  else await all();
}
