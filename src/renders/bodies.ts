import * as fs from 'node:fs';
import { join } from 'node:path';

/**
 * The bodies that are too large for a ledger's rows, as files of a folder beside it, one for each key. They hold what a
 * person put in, so nobody else may read them. Synchronous, as the ledger is: what is kept is on disk before its row
 * is.
 */
export class Bodies {
  constructor(private readonly folder: string) {}

  /** On disk, with its name, when it returns. One that is there already is replaced whole. */
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

  /** Undefined where there is none, or it can't be read. */
  read(key: string): Uint8Array | undefined {
    try {
      return fs.readFileSync(this.pathOf(key));
    } catch {
      return undefined;
    }
  }

  /** Throws nothing: what stays is a file too many. */
  forget(key: string): void {
    try {
      fs.rmSync(this.pathOf(key), { force: true });
    } catch {
      // It is in use elsewhere, or the folder cannot be written.
    }
  }

  /**
   * Removes what was written before `before` (ms since 1970) for rows that never came about, as after a crash. Throws
   * nothing.
   */
  sweep(before: number, isKept: (key: string) => boolean): void {
    for (const name of this.names()) {
      try {
        const path = join(this.folder, name);
        if (!isKept(decodeURIComponent(name)) && fs.statSync(path).mtimeMs < before) fs.rmSync(path);
      } catch {
        // It is not ours, or stays for the next time.
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
 * A new name survives a loss of power once its folder is on disk. Windows does that by itself, and opens no folders.
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
