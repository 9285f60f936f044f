import { join } from 'node:path';
import type { Random } from '../base/random';
import type { Disk } from './disk';
import { codeOf } from './problem';

/**
 * What the fingerprints of accounts are made with: random, no secret, made once for this installation. It lies next to
 * the ledger, whose records the fingerprints tell apart, so that both come and go together. Rejects with the system's
 * error when it can be neither read nor written.
 */
export async function readSalt(folder: string, disk: Disk, random: Random): Promise<string> {
  const path = join(folder, 'salt');
  return (await read(path, disk)) ?? (await make(folder, path, disk, random));
}

/** Undefined when there is none, or what is there is not one. */
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

/** Several windows may start at once: one of them wins, and all read what it wrote. */
async function make(folder: string, path: string, disk: Disk, random: Random): Promise<string> {
  const own = join(folder, `salt-${random.uuid()}`);
  const salt = random.uuid();
  await disk.ownFolder(folder);
  await write(own, salt, disk);
  try {
    await disk.link(own, path);
  } catch {
    // Another window was first, or this disk knows no links: what is read now tells which.
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
