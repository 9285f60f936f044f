import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../editor/root';
import { activationFiles, type Metafile } from '../unit/build/activation';
import type { Row } from './row';

/** What every window loads, and what every user downloads. */
export async function size(): Promise<Row[]> {
  const metafile = JSON.parse(await readFile(join(root, 'out', 'extension.meta.json'), 'utf8')) as Metafile;
  const sizes = await Promise.all(activationFiles(metafile).map((file) => bytesOf(join(root, file))));
  const activation = sizes.reduce((sum, bytes) => sum + bytes, 0);
  return [
    { what: 'bytes loaded at activation', unit: 'KB', ours: [activation / 1000], aim: { of: 'value', atMost: 60 } },
    { what: 'VSIX', unit: 'KB', ours: [(await packaged()) / 1000], aim: { of: 'value', atMost: 700 } },
  ];
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
    await rm(folder, { recursive: true });
  }
}

async function bytesOf(file: string): Promise<number> {
  return (await stat(file)).size;
}
