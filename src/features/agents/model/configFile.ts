import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemRandom } from '../../../base/random';
import { nodeDisk } from '../../../files/disk';
import { localReplacing } from '../../../files/localReplacing';
import { codeOf } from '../../../files/problem';
import type { Found, Replacing } from '../../../files/replacement';

/** Another program's configuration, as it was read. */
export interface ConfigFile {
  readonly text: string;
  /** Undefined if the file doesn't exist yet. */
  readonly found: Found | undefined;
  readonly file: string;
  readonly replacing: Replacing;
}

/** Rejects when the folder doesn't exist, since the program isn't installed then, or when the file isn't text. */
export async function readConfig(path: string): Promise<ConfigFile> {
  // Some people keep such files elsewhere and link to them here.
  const real = await realPath(path);
  const file = pathToFileURL(real).href;
  const replacing = await localReplacing(nodeDisk, pathToFileURL(dirname(real)).href, file);
  const found = await replacing.read(file);
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(found?.bytes);
  return { text, found, file, replacing };
}

/**
 * Replaces the configuration atomically, keeping the file's mode. False without any change when someone wrote to it
 * since it was read.
 */
export async function writeConfig({ replacing, file, found }: ConfigFile, text: string): Promise<boolean> {
  const unfinished = `${file}.${systemRandom.uuid()}`;
  try {
    await replacing.write(unfinished, new TextEncoder().encode(text), found && file);
    return found ? await replacing.swap(unfinished, file, found) : await replacing.take(unfinished, file);
  } finally {
    await replacing.remove(unfinished);
  }
}

async function realPath(path: string): Promise<string> {
  try {
    return await nodeDisk.realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return join(await nodeDisk.realpath(dirname(path)), basename(path));
  }
}
