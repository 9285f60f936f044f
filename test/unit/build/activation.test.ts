import assert from 'node:assert/strict';
import { join, relative } from 'node:path';
import { before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { activationFiles, type Metafile } from './activation';

interface Built {
  readonly files: readonly { readonly path: string; readonly code: string }[];
  readonly metafile: Metafile;
}

/** The production build. */
async function buildExtension(): Promise<Built> {
  const module = pathToFileURL(join(process.cwd(), 'esbuild.mjs')).href;
  const { extensionFiles } = (await import(module)) as {
    readonly extensionFiles: (options: { minify: boolean }) => Promise<Built>;
  };
  return extensionFiles({ minify: true });
}

/** What no window needs before its first use. */
const forbidden = [
  /node_modules\/undici\//,
  /node_modules\/zod\//,
  /^src\/sandbox\//,
  /^src\/form\//,
  // Its problems are small error constants.
  /^src\/files\/(?!problem\.ts)/,
  /^src\/renders\/(ledger|ledgerRow|openLedger|renderer|poller|downloader|recovery|library)\.ts$/,
  /^src\/catalog\/(transport|client|schema)\.ts$/,
];

/** Bytes that every window loads, minified. */
const most = 60_000;

suite('What is loaded when the extension activates', () => {
  let built: Built;
  let files: readonly string[];
  before(async () => {
    built = await buildExtension();
    files = activationFiles(built.metafile);
  });
  const outputs = () => files.map((file) => built.metafile.outputs[file]!);

  test('includes nothing of the network, schemas, ledger, files, form, or sandbox', () => {
    const inputs = outputs().flatMap((output) => Object.keys(output.inputs));
    assert.ok(inputs.includes('src/extension.ts'));
    assert.deepEqual(
      inputs.filter((input) => forbidden.some((pattern) => pattern.test(input))),
      [],
    );
  });

  test('loads only those Node modules that every extension host has loaded already', () => {
    const modules = outputs().flatMap(({ imports }) =>
      imports.filter(({ external }) => external).map(({ path }) => path),
    );
    assert.deepEqual(
      [...new Set(modules)].filter((name) => name !== 'vscode' && name !== 'node:path'),
      [],
    );
  });

  test('uses the editor’s API directly, since copying all its names for each module would cost milliseconds', () => {
    const users = built.files.filter(({ code }) => code.includes('require("vscode")'));
    assert.ok(users.length > 0);
    for (const { path, code } of users) assert.doesNotMatch(code, /\(require\("vscode"\)/, path);
  });

  test('is small', () => {
    const sizes = built.files
      .filter(({ path }) => files.includes(relative(process.cwd(), path).replaceAll('\\', '/')))
      .map(({ code }) => Buffer.byteLength(code));
    assert.equal(sizes.length, files.length);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(bytes <= most, `${bytes} bytes, at most ${most} are allowed`);
  });

  test('includes what an import brings with it', () => {
    const chain: Metafile = {
      outputs: {
        'dist/extension.js': {
          inputs: {},
          imports: [
            { path: 'dist/a.js', kind: 'import-statement' },
            { path: 'dist/lazy.js', kind: 'dynamic-import' },
            { path: 'vscode', kind: 'import-statement', external: true },
          ],
        },
        'dist/a.js': { inputs: {}, imports: [{ path: 'dist/b.js', kind: 'import-statement' }] },
        'dist/b.js': { inputs: {}, imports: [] },
      },
    };
    assert.deepEqual(activationFiles(chain), ['dist/extension.js', 'dist/a.js', 'dist/b.js']);
  });
});
