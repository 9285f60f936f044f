import type { Dirent } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../base/clock';
import { largestGivenImage } from '../base/givenImage';
import { isGenerated } from '../documents/ignored';
import { nodeDisk } from '../files/disk';
import { hashed } from '../files/sameFile';
import { leadsOut } from '../files/folder';
import { largestFile, largestSidecar, sidecarEnding, type FileMetadata, fileMetadataOf } from '../files/provenance';
import { type Given, givenFrom } from '../renderFiles/givenFiles';
import { isRenderFile, longestRenderFile } from '../renderFiles/renderFile';
import type { Pictures } from '../renderFiles/states';

/** The images below a folder on this machine. */
export class FolderOnDisk implements Pictures {
  private readonly read = new Map<string, Promise<Given>>();

  constructor(private readonly root: string) {}

  async names(folder: string): Promise<readonly string[]> {
    return unlessGone(readdir(join(this.root, folder)), []);
  }

  async telling(file: string): Promise<FileMetadata | undefined> {
    const path = join(this.root, file);
    const [bytes, beside] = await Promise.all([
      readUpTo(path, largestFile),
      readUpTo(path + sidecarEnding, largestSidecar),
    ]);
    const whole = bytes && (await hashed(bytes, systemClock));
    return fileMetadataOf({ whole, beside: beside && new TextDecoder().decode(beside) }, systemClock);
  }

  /** As it was when it was first asked for: many entries may have the same image. */
  given(file: string): Promise<Given> {
    const given = this.read.get(file) ?? this.readGiven(file).catch((): Given => ({ why: 'unreadable' }));
    this.read.set(file, given);
    return given;
  }

  private async readGiven(file: string): Promise<Given> {
    const path = join(this.root, file);
    const found = await unlessGone(stat(path), undefined);
    if (!found) return { why: 'missing' };
    if (found.isDirectory()) return { why: 'folder' };
    if (await leadsOut(nodeDisk, this.root, path)) return { why: 'outside' };
    if (found.size > largestGivenImage) return { why: 'tooLarge', bytes: found.size };
    return found.isFile() ? givenFrom(file, await readFile(path), systemClock) : { why: 'unreadable' };
  }

  /** The text of a render file without a byte order mark, or enough of it to see that it's too large. */
  async text(file: string): Promise<string> {
    const handle = await open(join(this.root, file));
    try {
      const { size } = await handle.stat();
      // A character takes at most four bytes.
      const bytes = Buffer.alloc(Math.min(size, longestRenderFile * 4 + 1));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0);
      return new TextDecoder().decode(bytes.subarray(0, bytesRead));
    } finally {
      await handle.close();
    }
  }

  /**
   * The render files in a folder and those below, in the order of their paths; links aren't followed. Calls `skip` with
   * each folder that can't be read.
   */
  async renderFiles(skip: (folder: string) => void, folder = ''): Promise<string[]> {
    const found: string[] = [];
    for (const entry of await this.entries(folder, skip)) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile() && isRenderFile(path)) found.push(path);
      if (entry.isDirectory() && !isGenerated(entry.name)) found.push(...(await this.renderFiles(skip, path)));
    }
    return found;
  }

  private async entries(folder: string, skip: (folder: string) => void): Promise<readonly Dirent[]> {
    try {
      const entries = await unlessGone(readdir(join(this.root, folder), { withFileTypes: true }), []);
      return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    } catch {
      skip(folder || '.');
      return [];
    }
  }
}

/** Undefined if it doesn't exist, isn't a regular file, or has more bytes than that. Reading a device may never end. */
async function readUpTo(path: string, most: number): Promise<Uint8Array | undefined> {
  const found = await unlessGone(stat(path), undefined);
  return found?.isFile() && found.size <= most ? readFile(path) : undefined;
}

async function unlessGone<T>(work: Promise<T>, instead: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return instead;
    throw error;
  }
}
