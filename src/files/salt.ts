import { join } from 'node:path';
import type { Random } from '../base/clock';
import type { Disk } from './disk';
import { codeOf } from './problem';

/**
 * The salt for the fingerprints of accounts: random, not secret, created once per installation. It's next to the
 * ledger, whose records have the fingerprints, so that both exist and vanish together. Rejects with the system's error
 * when it can be neither read nor written.
 */
export async function readSalt(folder: string, disk: Disk, random: Random): Promise<string> {
  const path = join(folder, 'salt');
  return (await read(path, disk)) ?? (await make(folder, path, disk, random));
}

/** Undefined when it doesn't exist or is invalid. */
async function read(path: string, disk: Disk): Promise<string | undefined> {
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of disk.read(path)) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    return /^[0-9a-f-]{36}$/.test(text) ? text : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Several windows may start at once: one of them wins, and all read its file. */
async function make(folder: string, path: string, disk: Disk, random: Random): Promise<string> {
  const own = join(folder, `salt-${random.uuid()}`);
  const salt = random.uuid();
  await disk.ownFolder(folder);
  await write(own, salt, disk);
  try {
    await disk.link(own, path);
  } catch {
    // Another window was first, or this disk doesn't support links: reading it shows which.
  }
  const winner = await read(path, disk);
  if (winner === undefined) await disk.rename(own, path);
  else await disk.unlink(own);
  return winner ?? salt;
}

async function write(path: string, text: string, disk: Disk): Promise<void> {
  const file = await disk.create(path, 0o600);
  try {
    await file.write(new TextEncoder().encode(text));
    await file.sync();
  } finally {
    await file.close();
  }
}
