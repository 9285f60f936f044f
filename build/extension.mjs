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

/**
 * The extension's files, made and not written: each with its path and its code, and what they are made of. All that a window loads when it
 * opens is `core.js`; the rest is split at every `import()`, so that what is not used is not even parsed. CommonJS, because a host loads
 * that fastest. `sandbox.js` is the sandbox as a program of its own.
 */
export async function extensionFiles({ minify }) {
  const split = await splitExtension();
  const core = coreOf(split.outputs);
  const lazy = [...split.texts.keys()].filter((path) => !core.has(path));
  const files = await Promise.all([
    // What the host itself loads is none of what the lazy parts ask for: those find the core by one path, once.
    { path: resolve(entry), code: 'module.exports = require("./core.js");\n' },
    converted(corePath, coreSource(core), { split, core, minify }),
    ...lazy.map((path) => converted(path, split.texts.get(path), { split, core, minify })),
    sandboxProgram({ minify }),
  ]);
  return { files, metafile: { inputs: split.inputs, outputs: outputsOf(split.outputs, core) } };
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
    metafile: true,
  });
  const texts = new Map(outputFiles.map(({ path, text }) => [pathOf(path), withPlainEditor(text)]));
  return { texts, inputs: metafile.inputs, outputs: metafile.outputs };
}

/**
 * The same module with the editor's API as the editor hands it out. An import of it would be converted to a copy of every name in it, some
 * hundreds, once for each module: milliseconds at every start.
 */
function withPlainEditor(text) {
  return text.replace(/^import \* as (\w+) from "vscode";$/gm, 'const $1 = require("vscode");');
}

/** The modules that are loaded as soon as the extension is, each with the name under which the core hands it to the lazy parts. */
function coreOf(outputs) {
  const core = new Map([[entry, 'extension']]);
  // A map yields also what is added while it is walked.
  for (const path of core.keys())
    for (const { path: imported, kind } of outputs[path].imports)
      if (kind === 'import-statement' && imported in outputs && !core.has(imported))
        core.set(imported, `part${core.size}`);
  return core;
}

function coreSource(core) {
  const [, ...parts] = core;
  const shared = parts.map(([path, name]) => `export * as ${name} from '${pathFrom(corePath, path)}';`);
  return [`export * from '${pathFrom(corePath, entry)}';`, ...shared].join('\n');
}

/** One file of the split extension as CommonJS: inside the core the modules are one, elsewhere they are asked of it. */
async function converted(path, source, { split, core, minify }) {
  const isCore = path === corePath;
  const plugin = {
    name: 'split',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\.?\// }, ({ path: imported, resolveDir, namespace }) => {
        const found = pathOf(resolve(resolveDir, imported));
        if (namespace === 'fromCore' || !core.has(found)) return { path: pathFrom(path, found), external: true };
        return { path: found, namespace: isCore ? 'core' : 'fromCore' };
      });
      onLoad({ filter: /.*/, namespace: 'core' }, ({ path: found }) => ({
        contents: split.texts.get(found),
        resolveDir: dirname(resolve(found)),
      }));
      onLoad({ filter: /.*/, namespace: 'fromCore' }, ({ path: found }) => ({
        contents: `module.exports = require('${pathFrom(path, corePath)}').${core.get(found)};`,
        resolveDir: dirname(resolve(path)),
      }));
    },
  };
  const stdin = { contents: source, resolveDir: dirname(resolve(path)), sourcefile: path };
  const { outputFiles } = await build({ ...cjs, minify, stdin, external: ['vscode'], plugins: [plugin] });
  return { path: resolve(path), code: outputFiles[0].text };
}

async function sandboxProgram({ minify }) {
  const { outputFiles } = await build({ ...cjs, minify, entryPoints: ['src/sandbox/main.ts'] });
  return { path: resolve('dist/sandbox.js'), code: outputFiles[0].text };
}

/** What esbuild would say of the files as they are written. */
function outputsOf(outputs, core) {
  const members = [...core.keys()].map((path) => outputs[path]);
  const outside = ({ imports }) => imports.filter(({ path }) => !core.has(path));
  const written = {
    [entry]: { inputs: {}, imports: [{ path: corePath, kind: 'import-statement' }] },
    [corePath]: {
      inputs: Object.assign({}, ...members.map(({ inputs }) => inputs)),
      imports: members.flatMap(outside),
    },
  };
  for (const [path, output] of Object.entries(outputs)) {
    if (core.has(path)) continue;
    written[path] = {
      inputs: output.inputs,
      imports: [...outside(output), { path: corePath, kind: 'import-statement' }],
    };
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
