import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemErrorCode } from './systemError';

/** The cache for large tools, shared by runs and clones: the system's own cache folder. */
export function cacheFolder(): string {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (process.platform === 'win32') return join(LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'model-catalog');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'model-catalog');
  return join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'model-catalog');
}

/**
 * The folder `name` in the cache, created by `make` unless it exists. It appears only when complete; concurrent runs
 * wait for the one that creates it. Rejects as `make`, leaving nothing behind.
 */
export async function cached(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder(), name);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const unlock = await lock(`${folder}.lock`);
  const unfinished = `${folder}.part`;
  try {
    if (existsSync(folder)) return folder;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished);
    console.error(`Installing ${name}, once, into ${cacheFolder()} …`);
    const start = performance.now();
    await make(unfinished);
    await rename(unfinished, folder);
    console.error(`Installed ${name} in ${Math.ceil((performance.now() - start) / 1000)} s.`);
    return folder;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    await unlock();
  }
}

/** Holds the lock file with this process's id; takes over one whose process has ended. */
async function lock(file: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      const handle = await open(file, 'wx');
      await handle.writeFile(String(process.pid));
      await handle.close();
      return () => rm(file, { force: true });
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
      if (!(await isHeld(file))) await rm(file, { force: true });
      else await wait(300);
    }
  }
}

async function isHeld(file: string): Promise<boolean> {
  try {
    const pid = Number(await readFile(file, 'utf8'));
    // An empty file belongs to a process that is about to write its id.
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch (error) {
    // Released in the meantime (ENOENT), ended (ESRCH), or running as another user (EPERM).
    return systemErrorCode(error) === 'EPERM';
  }
}
