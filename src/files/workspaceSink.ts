import type { Clock, Random } from '../base/clock';
import { safeFolder } from './folder';
import { below, hashed } from './sameFile';
import { nameThere } from './names';
import { codeOf, FileProblem, onDisk, problemOf } from './problem';
import { type Found, largestReplaced, type Replacing } from './replacement';
import { type Destination, Publication, type Sink } from './sink';
import type { Spool } from './spool';

/** The entry at a URI. */
export interface WorkspaceEntry {
  readonly kind: 'file' | 'folder' | 'other';
  /** True for a symbolic link; `kind` and `size` are then those of its target. */
  readonly link: boolean;
  /** Bytes. */
  readonly size: number;
  /** When it was last written to, ms by the clock of its disk. */
  readonly changedAt: number;
}

/**
 * The editor's file operations, local or not (`vscode.workspace.fs`); errors carry the `code` of
 * `vscode.FileSystemError`.
 */
export interface WorkspaceFiles {
  stat(uri: string): Promise<WorkspaceEntry>;
  /** The names in a folder. */
  readDirectory(uri: string): Promise<readonly string[]>;
  createDirectory(uri: string): Promise<void>;
  readFile(uri: string): Promise<Uint8Array>;
  writeFile(uri: string, bytes: Uint8Array): Promise<void>;
  /** Renames without overwriting: `FileExists` when the name is taken. */
  rename(from: string, to: string): Promise<void>;
  delete(uri: string): Promise<void>;
}

/**
 * The largest result saved through the editor, bytes. The API takes a file as one array, so a larger one would take
 * several times its size in the memory of the extension host, which all extensions share.
 */
export const largestThroughEditor = 256 * 1024 ** 2;

/**
 * Saves below roots of any scheme, through the editor; rejects with `tooLargeThere` for files too large for one array.
 */
export function workspaceSink(
  files: WorkspaceFiles,
  spool: Spool,
  random: Random,
  largest: number = largestThroughEditor,
): Sink {
  return {
    prove: async (root, folder) => (await WorkspaceFolder.open(files, root, safeFolder(folder))).proveThere(),
    publish: async (source, root, folder, baseName, claim, companion) => {
      if (source.bytes > largest) throw new FileProblem('tooLargeThere', `${source.bytes} bytes`);
      const destination = await WorkspaceFolder.open(files, root, safeFolder(folder));
      await destination.make();
      return new Publication(destination, source, claim, companion).run(spool, random, baseName);
    },
  };
}

class WorkspaceFolder implements Destination {
  /** The bytes written last. */
  private content: Buffer = Buffer.alloc(0);

  private constructor(
    private readonly files: WorkspaceFiles,
    private readonly root: string,
    /** Below the root, spelled as they exist. */
    private readonly segments: readonly string[],
  ) {}

  static async open(files: WorkspaceFiles, root: string, folder: string): Promise<WorkspaceFolder> {
    const segments: string[] = [];
    for (const segment of folder.split('/').filter((name) => name !== ''))
      segments.push(await nameThere(segment, () => namesIn(files, below(root, segments))));
    return new WorkspaceFolder(files, root, segments);
  }

  async make(): Promise<void> {
    await onDisk(this.files.stat(this.root));
    for (const folder of this.folders()) {
      if (!(await this.find(folder))) await onDisk(this.files.createDirectory(folder));
      await this.proveFolder(folder);
    }
  }

  /** Verifies the part of it that exists. */
  async proveThere(): Promise<void> {
    await onDisk(this.files.stat(this.root));
    for (const folder of this.folders()) {
      if (!(await this.find(folder))) return;
      await this.proveFolder(folder);
    }
  }

  uri(name: string): string {
    return below(this.root, [...this.segments, name]);
  }

  names(): Promise<readonly string[]> {
    return onDisk(this.files.readDirectory(below(this.root, this.segments)));
  }

  async read(name: string, size: number): Promise<readonly Uint8Array[] | undefined> {
    const entry = await this.find(this.uri(name));
    if (entry?.kind !== 'file' || entry.link || entry.size !== size) return undefined;
    return [await onDisk(this.files.readFile(this.uri(name)))];
  }

  async write(name: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void> {
    this.content = Buffer.alloc(size);
    let filled = 0;
    for await (const chunk of bytes) {
      // Extra bytes are detected by the hash of the whole.
      this.content.set(chunk.subarray(0, size - filled), Math.min(filled, size));
      filled += chunk.length;
    }
    await onDisk(this.files.writeFile(this.uri(name), this.content));
    await this.proveKept(name);
  }

  async prove(): Promise<void> {
    for (const folder of this.folders()) await this.proveFolder(folder);
  }

  async take(written: string, name: string): Promise<boolean> {
    try {
      await this.files.rename(this.uri(written), this.uri(name));
    } catch (error) {
      if (codeOf(error) === 'FileExists') return false;
      throw problemOf(error);
    }
    await this.proveKept(name);
    return true;
  }

  async remove(name: string): Promise<void> {
    if (await this.find(this.uri(name))) await onDisk(this.files.delete(this.uri(name)));
  }

  async changedAt(name: string): Promise<number> {
    return (await onDisk(this.files.stat(this.uri(name)))).changedAt;
  }

  /** The API has no such guarantee. */
  async sync(): Promise<void> {}

  /** Some file systems report success and store nothing, or only a part; and some state no size. */
  private async proveKept(name: string): Promise<void> {
    const uri = this.uri(name);
    const entry = await this.find(uri);
    if (entry?.kind === 'file' && entry.size === this.content.length) return;
    if (entry?.kind === 'file' && this.content.equals(await onDisk(this.files.readFile(uri)))) return;
    throw new FileProblem('notWritable', `${uri} wasn’t stored completely`);
  }

  /** Every folder from the first below the root to the last. */
  private folders(): string[] {
    return this.segments.map((_, index) => below(this.root, this.segments.slice(0, index + 1)));
  }

  /** The API doesn't say where a link leads, so none is followed. */
  private async proveFolder(uri: string): Promise<void> {
    const entry = await onDisk(this.files.stat(uri));
    if (entry.link) throw new FileProblem('outsideFolder', uri);
    if (entry.kind !== 'folder') throw new FileProblem('notWritable', `${uri} isn’t a folder`);
  }

  private async find(uri: string): Promise<WorkspaceEntry | undefined> {
    try {
      return await this.files.stat(uri);
    } catch (error) {
      if (codeOf(error) === 'FileNotFound') return undefined;
      throw problemOf(error);
    }
  }
}

/** Empty when the folder doesn't exist. */
async function namesIn(files: WorkspaceFiles, folder: string): Promise<readonly string[]> {
  try {
    return await files.readDirectory(folder);
  } catch (error) {
    if (codeOf(error) === 'FileNotFound') return [];
    throw problemOf(error);
  }
}

/** The editor's file operations for replacing; errors carry the `code` of `vscode.FileSystemError`. */
export interface ReplaceableFiles extends WorkspaceFiles {
  stat(uri: string): Promise<WorkspaceEntry & { readonly readOnly?: boolean }>;
  /** Without overwriting: `FileExists` when the name is taken. The copy has the same permissions. */
  copy(from: string, to: string): Promise<void>;
  /** Renames over an existing file; some file systems delete that first. */
  replace(from: string, to: string): Promise<void>;
}

/** Replacing in file systems of any scheme, through the editor: as atomically as each of them can. */
export function workspaceReplacing(files: ReplaceableFiles, clock: Clock): Replacing {
  const read = async (file: string): Promise<Found | undefined> => {
    try {
      const { kind, link, size, readOnly = false } = await files.stat(file);
      if (kind !== 'file' || link) throw new FileProblem('notWritable', `${file} isn’t a regular file`);
      if (size > largestReplaced) throw new FileProblem('tooLargeThere', `${size} bytes`);
      const whole = await hashed(await files.readFile(file), clock);
      // Not every file system states anything else that changes with each write.
      return { ...whole, stamp: whole.sha256, isReadOnly: readOnly };
    } catch (error) {
      if (codeOf(error) === 'FileNotFound') return undefined;
      throw problemOf(error);
    }
  };
  return {
    read,
    write: async (file, bytes, like) => {
      // A copy of the other file has its permissions, and keeps them when written to. If they forbid writing, it isn't
      // copied.
      if (like !== undefined && (await onDisk(files.stat(like))).readOnly !== true)
        await onDisk(files.copy(like, file));
      else if (await read(file)) throw new FileProblem('notWritable', `${file} already exists`);
      await onDisk(files.writeFile(file, bytes));
    },
    take: async (written, name) => {
      try {
        await files.rename(written, name);
        return true;
      } catch (error) {
        if (codeOf(error) === 'FileExists') return false;
        throw problemOf(error);
      }
    },
    swap: async (written, file, { stamp }) => {
      if ((await read(file))?.stamp !== stamp) return false;
      await onDisk(files.replace(written, file));
      return true;
    },
    remove: async (file, found) => {
      try {
        if (found && (await read(file))?.stamp !== found.stamp) return;
        await files.delete(file);
      } catch (error) {
        if (codeOf(error) !== 'FileNotFound') throw problemOf(error);
      }
    },
  };
}
