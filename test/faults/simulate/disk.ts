import { basename, dirname } from 'node:path';
import type { DiskEntry } from '../../../src/files/disk';

interface File {
  readonly kind: 'file';
  readonly number: number;
  bytes: Buffer;
  /** The bytes that are certain to survive a power loss. */
  durable: Buffer;
}

interface Folder {
  readonly kind: 'folder';
  readonly entries: Map<string, Inode>;
  /** Name changes that a power loss may undo, oldest first. */
  unsynced: Change[][];
}

type Inode = File | Folder;

interface Change {
  readonly name: string;
  readonly before: Inode | undefined;
}

/**
 * The machine's disk: synced data stays, anything else may be lost when the power fails. A killed process loses nothing
 * that it wrote.
 */
export class SimulatedDisk {
  private readonly root = newFolder();
  private count = 0;
  /** How much fits on it, bytes. */
  capacity = Infinity;
  /** New files get their permissions from their folder, so that none is moved in from elsewhere. */
  grants = false;
  /** Unreachable folders. */
  readonly gone = new Set<string>();
  /** Read-only folders. */
  readonly readOnly = new Set<string>();

  create(path: string): File {
    const folder = this.folder(dirname(path));
    if (folder.entries.has(basename(path))) throw systemError('EEXIST');
    const file: File = { kind: 'file', number: this.count++, bytes: Buffer.alloc(0), durable: Buffer.alloc(0) };
    this.set(folder, basename(path), file);
    return file;
  }

  read(path: string): Buffer {
    const found = this.find(path);
    if (found.kind !== 'file') throw systemError('EISDIR');
    return found.bytes;
  }

  link(from: string, to: string): void {
    const file = this.find(from);
    const folder = this.folder(dirname(to));
    if (folder.entries.has(basename(to))) throw systemError('EEXIST');
    this.set(folder, basename(to), file);
  }

  rename(from: string, to: string): void {
    const file = this.find(from);
    if (dirname(from) !== dirname(to)) throw systemError('EXDEV');
    this.set(this.folder(dirname(to)), basename(to), file);
    // Both names change atomically.
    const [second] = this.set(this.folder(dirname(from)), basename(from), undefined).splice(-1);
    this.folder(dirname(to))
      .unsynced.at(-1)!
      .push(...second!);
  }

  unlink(path: string): void {
    this.find(path);
    this.set(this.folder(dirname(path)), basename(path), undefined);
  }

  mkdir(path: string): void {
    const folder = this.folder(dirname(path));
    if (folder.entries.has(basename(path))) throw systemError('EEXIST');
    this.set(folder, basename(path), newFolder());
  }

  mkdirAll(path: string): void {
    if (dirname(path) !== path) this.mkdirAll(dirname(path));
    if (dirname(path) !== path && !this.folder(dirname(path)).entries.has(basename(path))) this.mkdir(path);
  }

  entry(path: string): DiskEntry {
    const found = this.find(path);
    const bytes = found.kind === 'file' ? found.bytes : undefined;
    const stamp = found.kind === 'file' ? `${found.number}, ${found.bytes.length}` : '';
    const identity = found.kind === 'file' ? String(found.number) : '';
    return { kind: found.kind, size: bytes?.length ?? 0, stamp, identity, grants: this.grants, changedAt: 0 };
  }

  names(path: string): string[] {
    return [...this.folder(path).entries.keys()];
  }

  /** The user permanently deletes a folder with all its content. */
  removeAll(path: string): void {
    const folder = this.folder(dirname(path));
    folder.entries.delete(basename(path));
    for (const change of folder.unsynced)
      change.splice(0, Infinity, ...change.filter(({ name }) => name !== basename(path)));
  }

  syncFolder(path: string): void {
    this.folder(path).unsynced = [];
  }

  /** The content at a path, even while its folder is unreachable. */
  peek(path: string): Buffer | undefined {
    let at: Inode | undefined = this.root;
    for (const name of segments(path)) at = at?.kind === 'folder' ? at.entries.get(name) : undefined;
    return at?.kind === 'file' ? at.bytes : undefined;
  }

  /** What may still be written, bytes. */
  get free(): number {
    if (this.capacity === Infinity) return Infinity;
    const seen = new Set<Inode>();
    const bytesIn = (inode: Inode): number => {
      if (seen.has(inode)) return 0;
      seen.add(inode);
      return inode.kind === 'file'
        ? inode.bytes.length
        : [...inode.entries.values()].reduce((sum, inner) => sum + bytesIn(inner), 0);
    };
    return this.capacity - bytesIn(this.root);
  }

  /** Every file below a folder, by path. */
  files(path: string): Map<string, Buffer> {
    const found = new Map<string, Buffer>();
    let at: Inode | undefined = this.root;
    for (const name of segments(path)) at = at?.kind === 'folder' ? at.entries.get(name) : undefined;
    const visit = (inode: Inode, where: string) => {
      if (inode.kind === 'file') found.set(where, inode.bytes);
      else for (const [name, inner] of inode.entries) visit(inner, `${where}/${name}`);
    };
    if (at) visit(at, path);
    return found;
  }

  /** The power fails: only the first few unsynced names stay, and only some (`torn`) or all of the bytes. */
  losePower(keep: (of: number) => number, isTorn: (index: number) => boolean): void {
    let files = 0;
    const visit = (inode: Inode) => {
      if (inode.kind === 'file') {
        if (inode.bytes !== inode.durable && isTorn(files++)) inode.bytes = torn(inode);
        inode.durable = inode.bytes;
        return;
      }
      const lost = inode.unsynced.splice(keep(inode.unsynced.length));
      for (const { name, before } of lost.flat().reverse()) put(inode, name, before);
      inode.unsynced = [];
      for (const inner of inode.entries.values()) visit(inner);
    };
    visit(this.root);
  }

  /** Throws if the path can't be changed now. */
  mustBeWritable(path: string): void {
    for (const folder of this.readOnly) if (isBelow(path, folder)) throw systemError('EROFS');
  }

  private set(folder: Folder, name: string, inode: Inode | undefined): Change[][] {
    folder.unsynced.push([{ name, before: folder.entries.get(name) }]);
    put(folder, name, inode);
    return folder.unsynced;
  }

  private folder(path: string): Folder {
    const found = this.find(path);
    if (found.kind !== 'folder') throw systemError('ENOTDIR');
    return found;
  }

  private find(path: string): Inode {
    for (const gone of this.gone) if (isBelow(path, gone)) throw systemError('ENOENT');
    let at: Inode | undefined = this.root;
    for (const name of segments(path)) at = at?.kind === 'folder' ? at.entries.get(name) : undefined;
    if (!at) throw systemError('ENOENT');
    return at;
  }
}

/** An error as the system reports it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: as the system says`), { code });
}

function newFolder(): Folder {
  return { kind: 'folder', entries: new Map(), unsynced: [] };
}

function put(folder: Folder, name: string, inode: Inode | undefined): void {
  if (inode) folder.entries.set(name, inode);
  else folder.entries.delete(name);
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function segments(path: string): string[] {
  return path.split(/[\\/]/).filter((name) => name !== '');
}

/** The durable bytes, then zeros for unsynced ones. */
function torn({ bytes, durable }: File): Buffer {
  return Buffer.concat([durable, Buffer.alloc(Math.floor((bytes.length - durable.length) / 2))]);
}
