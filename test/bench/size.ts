import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { removeFolder } from '../removeFolder';
import { root } from '../editor/root';
import { activationFiles, type Metafile } from '../unit/build/activation';
import type { Row } from './row';

/** What every window loads, and what every user downloads. */
export async function size(): Promise<Row[]> {
  const metafile = JSON.parse(await readFile(join(root, 'out', 'extension.meta.json'), 'utf8')) as Metafile;
  const sizes = await Promise.all(activationFiles(metafile).map((file) => bytesOf(join(root, file))));
  const activation = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const codecs = await codecSizes();
  const rest = (await packaged()) - codecs.packed;
  return [
    { what: 'bytes loaded at activation', unit: 'KB', ours: [activation / 1000], aim: { of: 'value', atMost: 60 } },
    { what: 'VSIX without the codecs', unit: 'KB', ours: [rest / 1000], aim: { of: 'value', atMost: 900 } },
    { what: 'codecs, unpacked', unit: 'KB', ours: [codecs.bytes / 1000], aim: { of: 'value', atMost: 1200 } },
  ];
}

/** The sizes of what fits images, which loads on first use: as it is, and as it's in the package, bytes. */
async function codecSizes(): Promise<{ readonly bytes: number; readonly packed: number }> {
  const modules = (await readdir(join(root, 'dist', 'fit'))).map((name) => join('fit', name));
  const files = await Promise.all(['fit.mjs', ...modules].map((name) => readFile(join(root, 'dist', name))));
  const sum = (sizes: readonly number[]) => sizes.reduce((all, size) => all + size, 0);
  return {
    bytes: sum(files.map(({ length }) => length)),
    packed: sum(files.map((file) => deflateRawSync(file).length)),
  };
}

/** The size of the package, bytes. */
async function packaged(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'model-catalog-vsix-'));
  try {
    const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
    const flags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
    const file = join(folder, 'model-catalog.vsix');
    await promisify(execFile)(process.execPath, [vsce, 'package', ...flags, '--out', file], { cwd: root });
    return await bytesOf(file);
  } finally {
    await removeFolder(folder);
  }
}

async function bytesOf(file: string): Promise<number> {
  return (await stat(file)).size;
}
