// Bundles the extension so that a window loads little when it opens: all it needs then is `core.js`; the rest is split at every `import()`, so
// that what is not used is not even parsed. CommonJS, because a host loads that fastest. esbuild splits only ES modules, so they are converted.
//
// Measured twice on a busy machine, activation takes 29.6 and 33.0 ms as here, 37.1 and 56.9 ms split as ES modules, and 77.5 and 97.2 ms in one
// file: at least 7.5 ms are gained. A plainer way that costs at most 5 ms is to take its place.
import { build } from 'esbuild';
import { dirname, posix, relative, resolve } from 'node:path';

const common = {
  bundle: true,
  logLevel: 'warning',
  platform: 'node',
  target: 'node22',
  mainFields: ['module', 'main'],
  write: false,
};
const cjs = { ...common, format: 'cjs', supported: { 'dynamic-import': false } };
const entry = 'dist/extension.js';
const corePath = 'dist/core.js';
const sharedPath = 'dist/lazy/shared.js';

/** What is small enough to be loaded with what is not needed yet; bytes before they are minified. */
const small = 8_000;

/**
 * The extension's files, made and not written: each with its path and its code, and what they are made of. `sandbox.js` is the sandbox as a
 * program of its own, `documents.js` what reads a large document in a thread of its own, `mcp.mjs` what agents outside run, `check.mjs` what checks render files without
 * an editor.
 */
export async function extensionFiles({ minify }) {
  const split = await splitExtension();
  const joined = new Map([...coreOf(split.outputs), ...sharedOf(split.outputs)]);
  const alone = [...split.texts.keys()].filter((path) => !joined.has(path));
  const files = await Promise.all([
    // What the host itself loads is none of what the lazy parts ask for: those find the core by one path, once.
    { path: resolve(entry), code: 'module.exports = require("./core.js");\n' },
    ...[corePath, sharedPath].map((path) => converted(path, joinedSource(path, joined), { split, joined, minify })),
    ...alone.map((path) => converted(path, split.texts.get(path), { split, joined, minify })),
    program('src/sandbox/main.ts', 'dist/sandbox.js', { minify }),
    program('src/documents/program.ts', 'dist/documents.js', { minify }),
    program('src/relay/main.ts', 'dist/mcp.mjs', { minify, format: 'esm' }),
    program('src/check/main.ts', 'dist/check.mjs', { minify, format: 'esm' }),
  ]);
  return { files, metafile: { inputs: split.inputs, outputs: outputsOf(split.outputs, joined) } };
}

/** The extension as modules that import each other: one for each set of lazy parts that share something. */
async function splitExtension() {
  const { outputFiles, metafile } = await build({
    ...common,
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
 * Undici carries its parser of answers twice, the second for processors with vector instructions, which reads the few headers we get no
 * faster. The first runs everywhere.
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
 * The same module with the editor's API as the editor hands it out. An import of it would be converted to a copy of every name in it, some
 * hundreds, once for each module: milliseconds at every start.
 */
function withPlainEditor(text) {
  return text.replace(/^import \* as (\w+) from "vscode";$/gm, 'const $1 = require("vscode");');
}

/** The modules that are loaded as soon as the extension is: each with its file, and the name under which that hands it to others. */
function coreOf(outputs) {
  const core = new Map([[entry, { file: corePath, name: 'extension' }]]);
  // A map yields also what is added while it is walked.
  for (const path of core.keys())
    for (const imported of importsOf(outputs, path))
      if (!core.has(imported)) core.set(imported, { file: corePath, name: `part${core.size}` });
  return core;
}

/**
 * The small modules that several lazy parts share, in one file: to find a file costs a window more than to read some more of one. Each
 * needs nothing but the core and others of these.
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

/** The modules of ours that one loads with itself. */
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

/** One file of the split extension as CommonJS: what was joined into it is part of it, what was joined elsewhere is asked of that file. */
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
  const { outputFiles } = await build({ ...cjs, minify, stdin, external: ['vscode'], plugins: [plugin] });
  return { path: resolve(path), code: outputFiles[0].text };
}

async function program(source, path, options) {
  const { outputFiles } = await build({ ...cjs, ...options, entryPoints: [source] });
  return { path: resolve(path), code: outputFiles[0].text };
}

/** What esbuild would say of the files as they are written. */
function outputsOf(outputs, joined) {
  const fileOf = (path) => joined.get(path)?.file ?? path;
  const written = { [entry]: { inputs: {}, imports: [{ path: corePath, kind: 'import-statement' }] } };
  for (const [path, { inputs, imports }] of Object.entries(outputs)) {
    const file = (written[fileOf(path)] ??= { inputs: {}, imports: [] });
    Object.assign(file.inputs, inputs);
    const moved = imports.map((imported) => ({ ...imported, path: fileOf(imported.path) }));
    file.imports.push(...moved.filter((imported) => imported.path !== fileOf(path)));
  }
  return written;
}

/** The path below the project, in the form the metafile has. */
function pathOf(file) {
  return relative(process.cwd(), file).replaceAll('\\', '/');
}

function pathFrom(file, other) {
  const path = posix.relative(posix.dirname(file), other);
  return path.startsWith('.') ? path : `./${path}`;
}
