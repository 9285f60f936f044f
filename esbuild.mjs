// Builds everything: the extension and its lazy parts, the webviews, the sandbox command, and the tests. `--production`
// builds only what ships; `--bench` what ships and the benchmarks; `--watch` the tests that need no editor, again
// whenever a source changes.
import { build, transform } from 'esbuild';
import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildBenches, buildTests, watchTests } from './test/build.mjs';

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

/** The pages of features, by the names of their files. */
const pages = {
  form: 'form',
  gallery: 'gallery',
  compare: 'compare',
  spend: 'spending',
  origin: 'origin',
  send: 'rendering',
};

async function webviews() {
  const { metafile: script } = await build({
    ...common,
    metafile: true,
    entryPoints: Object.entries(pages).map(([out, feature]) => ({ in: `src/features/${feature}/page/main.tsx`, out })),
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
    entryPoints: ['webview', ...Object.keys(pages)].map((name) => `media/${name}.css`),
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

async function all() {
  rmSync('dist', { recursive: true, force: true });
  const [host, webview] = await Promise.all([
    extension(),
    webviews(),
    ...(production ? [] : [buildTests(node)]),
    ...(benching ? [buildBenches(node)] : []),
  ]);
  notices([host, ...webview]);
  if (production) writeFileSync('dist/README.md', packagedReadme());
  writeFileSync('dist/overview.md', overview());
  cpSync('media/screenshots', 'dist/screenshots', { recursive: true });
}

/**
 * The README for the extension's page in VS Code. That page loads images from `https` only: neither from the package nor
 * from data URLs. With a repository in the manifest, `vsce` makes the links absolute; until there is one, a drawing in
 * text replaces the first image, and the others are left out. Links to files become their names.
 */
export function packagedReadme({ repository } = JSON.parse(readFileSync('package.json', 'utf8'))) {
  const readme = readFileSync('README.md', 'utf8');
  if (repository !== undefined) return readme;
  const image = /!\[[^\]]*\]\(media\/[^)]+\)/;
  return readme
    .replace(image, () => readFileSync('media/drawing.md', 'utf8').trim())
    .replaceAll(new RegExp(`\\n${image.source}\\n`, 'g'), '')
    .replaceAll(/\[([^\]]*)\]\((?!https:|#)[^)]+\)/g, '**$1**');
}

/** The README as a help page, in `dist`: the editor's preview loads images from the page's folder and below. */
export function overview() {
  return readFileSync('README.md', 'utf8')
    .replaceAll('](media/screenshots/', '](screenshots/')
    .replaceAll('](media/help/', '](../media/help/')
    .replaceAll(/\[([^\]]*)\]\([A-Z]+\.md\)/g, '**$1**');
}

// A window loads little when it opens: `extension.js` is all it needs then. What our `import()`s lead to is in two more
// files, since finding a file takes longer than reading it: `connection.js` for a window that has an account, and
// `features.js` for everything that somebody opens. CommonJS, because a host loads that fastest; esbuild splits only ES
// modules, so they are converted.
const inMemory = {
  bundle: true,
  logLevel: 'warning',
  platform: 'node',
  target: 'node22',
  mainFields: ['module', 'main'],
  // An escaped “…” would take twice the bytes.
  charset: 'utf8',
  write: false,
  metafile: true,
};
const cjs = { ...inMemory, format: 'cjs', supported: { 'dynamic-import': false } };

/** The file that an `import()` of ours leads to. */
function groupOf(target) {
  if (target === 'src/catalog/dispatchers.ts') return 'network';
  const connects = /\/(makeClient|thread|transport|storedKey|keptModels|disk|salt|words|accountWords)\.ts$/;
  return connects.test(target) ? 'connection' : 'features';
}
/** What is loaded before each of them: with that, what they share is in one file, and not in one for each set of them. */
const before = {
  network: ['./src/extension.ts'],
  connection: ['./src/extension.ts'],
  features: ['./src/extension.ts', 'group:connection'],
};

/**
 * The extension's files in memory: each with its path and code, and their metafile. `sandbox.js` is the sandbox, as a
 * thread or a program, `documents.js` the thread that reads large documents, `fit.mjs` the one that fits an image,
 * `mcp.mjs` the program that outside agents run, and `check.mjs` the one that checks render files without an editor.
 */
export async function extensionFiles({ minify }) {
  const whole = { ...inMemory, entryPoints: ['src/extension.ts'], outdir: 'dist', external: ['vscode'] };
  const { metafile } = await build({ ...whole, plugins: [oneParser] });
  const plugins = [oneParser, grouped(metafile.inputs)];
  const split = await build({ ...whole, format: 'esm', splitting: true, chunkNames: 'lazy/[name]-[hash]', plugins });
  const files = await Promise.all([
    ...split.outputFiles.map(async ({ path, text }) => ({ path, code: await converted(text, minify) })),
    program('src/sandbox/main.ts', 'dist/sandbox.js', { minify }),
    program('src/documents/program.ts', 'dist/documents.js', { minify }),
    program('src/files/fit/program.ts', 'dist/fit.mjs', { minify, format: 'esm' }),
    program('src/relay/main.ts', 'dist/mcp.mjs', { minify, format: 'esm', plugins: [noForms] }),
    program('src/check/main.ts', 'dist/check.mjs', { minify, format: 'esm' }),
  ]);
  const inputs = Object.assign({}, ...files.map((file) => file.inputs), split.metafile.inputs);
  return { files, metafile: { inputs, outputs: split.metafile.outputs } };
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
 * The library of the Model Context Protocol brings a validator for the forms that a server may show in an agent. Ours
 * shows none, and the validator would be a third of its program.
 */
const noForms = {
  name: 'no forms',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@modelcontextprotocol\/server\/_shims$/ }, ({ path }) => ({ path, namespace: 'no forms' }));
    onLoad({ filter: /.*/, namespace: 'no forms' }, () => ({
      contents: "export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator {}",
    }));
  },
};

/** Joins what `import()`s lead to into the file of its group. */
function grouped(inputs) {
  const lazy = Object.values(inputs).flatMap(({ imports }) => imports.filter(({ kind }) => kind === 'dynamic-import'));
  const targets = [...new Set(lazy.map(({ path }) => path))].filter((path) => path in inputs);
  const nameOf = (target) => `part${targets.indexOf(target)}`;
  return {
    name: 'grouped',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice('group:'.length), namespace: 'group' }));
      onLoad({ filter: /.*/, namespace: 'group' }, ({ path: group }) => ({
        contents: [
          ...before[group].map((path) => `import '${path}';`),
          ...targets
            .filter((target) => groupOf(target) === group)
            .map((target) => `export * as ${nameOf(target)} from './${target}';`),
        ].join('\n'),
        resolveDir: process.cwd(),
      }));
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const source = readFileSync(path, 'utf8');
        const contents = source.replace(/(?<!typeof )\bimport\('(\.[^']+)'\)/g, (_, imported) => {
          const target = `${pathOf(resolve(dirname(path), imported))}.ts`;
          return `import('group:${groupOf(target)}').then((all) => all.${nameOf(target)})`;
        });
        return { contents, loader: 'ts' };
      });
    },
  };
}

/**
 * A file of the split extension as CommonJS. It requires the editor's API instead of importing it: a converted import
 * copies its hundreds of names in each module, which takes milliseconds at every start.
 */
async function converted(text, minify) {
  const source = text.replace(/^import \* as (\w+) from "vscode";$/gm, 'const $1 = require("vscode");');
  const { format, target, charset, supported } = cjs;
  // Not for Node, or each file would list its exports again for ES modules, which never import it.
  const { code } = await transform(source, { format, target, charset, supported, platform: 'neutral', minify });
  return code;
}

async function program(source, path, options) {
  const { outputFiles, metafile } = await build({ ...cjs, ...options, entryPoints: [source] });
  return { path: resolve(path), code: outputFiles[0].text, inputs: metafile.inputs };
}

/** The path relative to the project, as in the metafile. */
function pathOf(file) {
  return relative(process.cwd(), file).replaceAll('\\', '/');
}

// Tests import this file without building anything.
if (process.argv[1] === fileURLToPath(import.meta.url))
  await (process.argv.includes('--watch') ? watchTests(node) : all());
