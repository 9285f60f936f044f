import { spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadAndUnzipVSCode, SilentReporter } from '@vscode/test-electron';
import { reasonOf } from '../../src/base/log';
import { cacheFolder } from './cache';
import { releases, type Version } from './codeServer';
import { root } from './root';

/** VS Code as a desktop program of this version, downloaded once; undefined where that or a display isn't available. */
export async function desktopProgram(version: Version): Promise<string | undefined> {
  if (!hasDisplay()) return undefined;
  try {
    return await downloadAndUnzipVSCode({
      version: version === 'min' ? releases.min.vscode : 'stable',
      cachePath: join(cacheFolder(), 'desktop'),
      reporter: new SilentReporter(),
      timeout: 15_000,
    });
  } catch (error) {
    console.error(`VS Code for the desktop cannot be downloaded (${reasonOf(error)}): using VS Code as a server.`);
    return undefined;
  }
}

/** The `code` command of an installed VS Code that has a display. */
export function installedCommand(): string | undefined {
  if (!hasDisplay()) return undefined;
  const found = spawnSync('code', ['--version'], { shell: process.platform === 'win32', encoding: 'utf8' });
  return found.status === 0 ? 'code' : undefined;
}

/** A program in `folder` that takes the desktop's arguments and runs the server instead. */
export async function launcherIn(folder: string): Promise<string> {
  const command = `"${process.execPath}" "${join(root, 'out', 'test', 'editor', 'launcher.js')}"`;
  if (process.platform === 'win32') {
    const file = join(folder, 'editor.cmd');
    await writeFile(file, `@${command} %*\r\n`);
    return file;
  }
  const file = join(folder, 'editor');
  await writeFile(file, `#!/bin/sh\nexec ${command} "$@"\n`);
  await chmod(file, 0o755);
  return file;
}

function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return (process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY'] ?? '') !== '';
}
