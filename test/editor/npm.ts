import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Installs npm packages into `folder`, by default those of its package.json. Never runs install scripts. Rejects with
 * npm's message and what to do.
 */
export async function npmInstall(folder: string, ...packages: string[]): Promise<void> {
  if (!existsSync(join(folder, 'package.json'))) await writeFile(join(folder, 'package.json'), '{ "private": true }');
  // States each flag, since npm scripts pass their own configuration through the environment.
  const flags = ['--prefix', folder, '--global=false', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];
  const shell = process.platform === 'win32';
  const args = ['install', ...flags, '--loglevel=error', ...packages].map((word) => (shell ? `"${word}"` : word));
  const npm = spawn('npm', args, { cwd: folder, shell, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  const code = await new Promise((resolve, reject) => npm.once('error', reject).once('close', resolve));
  if (code === 0) return;
  const what = packages.length > 0 ? packages.join(', ') : `the dependencies of ${folder}`;
  throw new Error(
    `npm could not install ${what}. Check the connection to the npm registry (npm ping), then run the same command again. npm said:\n${output.trim()}`,
  );
}
