import * as fs from 'node:fs';
import { join } from 'node:path';

/**
 * Request bodies too large for the ledger's rows, one file per key in a folder next to it. They hold a user's inputs,
 * so other users can't read them. Synchronous like the ledger: a body is on disk before its row.
 */
export class Bodies {
  constructor(private readonly folder: string) {}

  /** On disk, with its name, when it returns. Replaces an existing file whole. */
  keep(key: string, body: Uint8Array): void {
    fs.mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const path = this.pathOf(key);
    const temporary = `${path}.new`;
    const file = fs.openSync(temporary, 'w', 0o600);
    try {
      fs.writeFileSync(file, body);
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    fs.renameSync(temporary, path);
    syncFolder(this.folder);
  }

  /** Undefined when there is none or it can't be read. */
  read(key: string): Uint8Array | undefined {
    try {
      return fs.readFileSync(this.pathOf(key));
    } catch {
      return undefined;
    }
  }

  /** Never throws: at worst a file is left over. */
  forget(key: string): void {
    try {
      fs.rmSync(this.pathOf(key), { force: true });
    } catch {
      // It's in use elsewhere, or the folder can't be written.
    }
  }

  /**
   * Removes bodies written before `before` (ms since 1970) whose rows were never written, for instance because of a
   * crash. Never throws.
   */
  sweep(before: number, isKept: (key: string) => boolean): void {
    for (const name of this.names()) {
      try {
        const path = join(this.folder, name);
        if (!isKept(decodeURIComponent(name)) && fs.statSync(path).mtimeMs < before) fs.rmSync(path);
      } catch {
        // Not ours, or left for the next sweep.
      }
    }
  }

  private names(): string[] {
    try {
      return fs.readdirSync(this.folder);
    } catch {
      return [];
    }
  }

  private pathOf(key: string): string {
    return join(this.folder, encodeURIComponent(key));
  }
}

/**
 * A new name survives a power loss only once its folder is on disk. Windows takes care of that, and can't open folders.
 */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const file = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
}
