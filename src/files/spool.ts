import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { reasonOf } from '../base/log';
import { type Random, systemRandom } from '../base/clock';
import type { Spooled } from '../renders/record';
import type { Hold } from '../renders/windowLease';
import { inspectedBytes, judged, type Ends, type Ordered } from './completeness';
import type { Disk, DiskEntry, WritableFile } from './disk';
import { newFile } from './names';
import { codeOf, FileProblem, ifModes, onDisk, problemOf } from './problem';
import { responseType, type FileType } from './sniff';

export interface ReceiveOptions {
  /** The length that the response stated, bytes. */
  readonly length?: number;
  /** What was ordered, as far as it's known. */
  readonly ordered?: Ordered;
  /** A larger result is rejected as `unreadable`. */
  readonly maxBytes: number;
  /** Aborting rejects with an AbortError and leaves nothing behind. */
  readonly signal?: AbortSignal;
  /** Proven before anything gets the name: another window may have taken over by then. */
  readonly hold?: Hold;
  /** Called with the number of bytes so far whenever more arrive. */
  readonly onProgress?: (bytes: number) => void;
}

const mebibyte = 1024 * 1024;
const part = '.part';
/** Of a file that a service sent and that isn't the result, as far as one can tell. */
const aside = '.aside';
/** Of a larger one, only its hash is kept, in its name; bytes. */
const largestAside = 64 * mebibyte;
/** What stays free next to the spool, for the ledger, bytes. */
const ledgerRoom = 64 * mebibyte;
/** How much is written between two looks at the free space, bytes. */
const roomEvery = 16 * mebibyte;

/** A spooled file in its state when it was received here. */
export interface Received {
  /** As `Entry.stamp`. */
  readonly stamp: string;
  /** The mode that a new file gets here; undefined on a disk without modes. */
  readonly mode: number | undefined;
}

/**
 * Stores complete, checked results on this machine until they are saved, readable only by this user. A name is chosen
 * by the caller (letters, digits, and `-`), and exists only with a complete file. One window at a time works on a name;
 * one that was suspended and doesn't know yet that another took over writes to its own file only.
 */
export class Spool {
  /** Files received here, in their state when they were closed. */
  private readonly received = new Map<string, Received & { readonly sha256: string }>();

  constructor(
    private readonly folder: string,
    private readonly disk: Disk,
    private readonly random: Random = systemRandom,
  ) {}

  /** The path of a result, whether or not it exists. */
  path(name: string): string {
    if (!/^[A-Za-z0-9-]+$/.test(name)) throw new Error(`not a name in the spool: ${name}`);
    return join(this.folder, name);
  }

  /**
   * Resolves if this many bytes fit into a folder, with room left for the ledger if that's on the same disk. Rejects
   * with FileProblem `diskFull`.
   */
  async proveRoom(folder: string, bytes: number): Promise<void> {
    const here = this.disk.space(this.folder);
    const there = await (folder === this.folder ? here : this.disk.space(folder));
    const left = there?.disk === (await here)?.disk ? ledgerRoom : 0;
    if (there && there.free - left < bytes)
      throw new FileProblem(
        'diskFull',
        `${bytes} bytes don’t fit: ${there.free} are free, and ${left} of them stay free`,
      );
  }

  /** True when a complete result has that name. */
  async has(name: string): Promise<boolean> {
    return (await this.entry(this.path(name)))?.kind === 'file';
  }

  /**
   * Stores a stream under the name, replacing what had it; the bytes are on disk when it resolves, `settle` makes the
   * name durable. Rejects with FileProblem `emptyFile`, `cutFile` (not the stated length, or without one, an image
   * without its end), `notResult` or `webPage` (see `judged`), `unreadable` (too large), or one of the disk's, or with
   * the stream's own error. Then the name is unchanged. What isn't the result is kept aside. The stream is destroyed in
   * any case.
   */
  async receive(name: string, stream: Readable, options: ReceiveOptions): Promise<Spooled> {
    // Listen before it is read: an unhandled stream error would end the process.
    stream.on('error', () => {});
    if (options.signal) addAbortSignal(options.signal, stream);
    try {
      return await this.keep(name, arriving(stream, options), options);
    } finally {
      stream.destroy();
    }
  }

  /** Stores a text model's response as a file, as `receive`. */
  async receiveText(name: string, text: string, hold?: Hold): Promise<Spooled> {
    return this.keep(name, [Buffer.from(text)], { type: responseType, hold });
  }

  /**
   * Replaces a result's bytes with others of the same type: completely, or not at all when it rejects. Rejects as
   * `receive`.
   */
  async replace(
    { name, mediaType, extension }: Spooled,
    pieces: Iterable<Uint8Array>,
    hold: Hold | undefined,
  ): Promise<Spooled> {
    return this.keep(name, pieces, { type: { mediaType, extension }, hold });
  }

  /**
   * Resolves when the names of received results survive a power loss too. Not worth waiting for if the result is
   * processed right away.
   */
  async settle(): Promise<void> {
    await onDisk(this.disk.syncFolder(this.folder));
  }

  /**
   * The bytes of a stored result, in order; rejects with `cutFile` when they differ from those received or are gone,
   * else with the disk's problem.
   */
  async *read(spooled: Spooled): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    const path = this.path(spooled.name);
    try {
      for await (const bytes of this.disk.read(path)) {
        hash.update(bytes);
        yield bytes;
      }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw new FileProblem('cutFile', reasonOf(error), error);
      throw problemOf(error);
    }
    if (hash.digest('hex') !== spooled.sha256) throw new FileProblem('cutFile', `${path} has changed`);
  }

  /**
   * A result's file in its state when it was received here and hashed. Undefined unless it's unchanged since: then it
   * has to be read to know whether it holds what was received.
   */
  async untouched({ name, sha256 }: Spooled): Promise<Received | undefined> {
    const received = this.received.get(name);
    if (received?.sha256 !== sha256) return undefined;
    return (await this.entry(this.path(name)))?.stamp === received.stamp ? received : undefined;
  }

  /** Deletes a result, and what is kept aside for it; succeeds if there is none. */
  async remove(name: string): Promise<void> {
    this.received.delete(name);
    await this.unlinkIfThere(this.path(name));
    if (await this.entry(this.folder)) await this.removeLeft(name, aside);
  }

  /**
   * Deletes results, and parts left by crashes, whose names are known to be done. Asks right before each; unknown ones
   * stay.
   */
  async sweep(isOver: (name: string) => boolean | Promise<boolean>): Promise<void> {
    if (!(await this.entry(this.folder))) return;
    for (const entry of await onDisk(this.disk.readdir(this.folder))) {
      const [name = ''] = entry.split('.');
      if (await isOver(name)) await this.unlinkIfThere(join(this.folder, entry));
    }
  }

  private async keep(
    name: string,
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    { type, hold, ordered = {}, length }: Keeping,
  ): Promise<Spooled> {
    const path = this.path(name);
    // A name that no other writer has, so that the final rename moves what was written here.
    const partPath = `${path}.${this.random.uuid()}${part}`;
    await onDisk(this.disk.ownFolder(this.folder));
    await this.removeLeft(name, part);
    await this.proveRoom(this.folder, length ?? 0);
    try {
      const written = await newFile(this.disk, partPath, undefined, async (file) => {
        const mode = await ifModes(file.reserve());
        return {
          ...(await write(file, chunks, () => this.proveRoom(this.folder, 0))),
          mode,
          identity: await onDisk(file.identity()),
        };
      });
      const found = type ? whole(written, type) : await this.result(name, partPath, written, ordered, length);
      const entry = await onDisk(this.disk.lstat(partPath));
      if (entry.identity !== written.identity) throw new FileProblem('cutFile', `${partPath} is a different file now`);
      hold?.prove();
      await onDisk(this.disk.rename(partPath, path));
      const spooled = { name, bytes: written.length, sha256: written.sha256, ...found };
      this.received.set(name, { sha256: written.sha256, stamp: entry.stamp, mode: written.mode });
      return spooled;
    } catch (error) {
      // The first failure matters; the sweep deletes what can't be removed now.
      await this.unlinkIfThere(partPath).catch(() => {});
      throw error;
    }
  }

  /** The type of what arrived. Throws if it isn't the result, and keeps it aside, since it may come again. */
  private async result(
    name: string,
    partPath: string,
    written: WrittenBytes,
    ordered: Ordered,
    length: number | undefined,
  ): Promise<FileType & Pick<Spooled, 'odd'>> {
    const { problem, text, isResultAgain, ...found } = judged(written, ordered, length !== undefined);
    if (!problem) return found;
    const kept = `${this.path(name)}.${written.sha256}${aside}`;
    if (isResultAgain && (await this.entry(kept))) return { ...found, odd: true };
    await this.removeLeft(name, aside);
    if (text === undefined && written.length <= largestAside) await onDisk(this.disk.rename(partPath, kept));
    else await newFile(this.disk, kept, 0o600, (file) => onDisk(file.write(Buffer.from(text ?? ''))));
    throw problem;
  }

  /**
   * Files of a result with this ending: parts left by a crash, or still being written by a suspended window, and what
   * is kept aside.
   */
  private async removeLeft(name: string, ending: string): Promise<void> {
    const entries = await onDisk(this.disk.readdir(this.folder));
    for (const entry of entries)
      if (entry.startsWith(`${name}.`) && entry.endsWith(ending)) await this.unlinkIfThere(join(this.folder, entry));
  }

  private async entry(path: string): Promise<DiskEntry | undefined> {
    try {
      return await this.disk.lstat(path);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw problemOf(error);
    }
  }

  private async unlinkIfThere(path: string): Promise<void> {
    try {
      await this.disk.unlink(path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw problemOf(error);
    }
  }
}

/** How something is kept in the spool: as this type, or judged by what was ordered and the stated length, bytes. */
interface Keeping extends Pick<ReceiveOptions, 'ordered' | 'length' | 'hold'> {
  readonly type?: FileType;
}

interface WrittenBytes extends Ends {
  readonly sha256: string;
}

/** The bytes of a stream, checked against the stated length and the limit. */
async function* arriving(stream: Readable, options: ReceiveOptions): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > options.maxBytes) throw new FileProblem('unreadable', `more than ${options.maxBytes} bytes`);
      options.onProgress?.(bytes);
      yield chunk;
    }
  } catch (error) {
    if (codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE')
      throw new FileProblem('cutFile', `${bytes} bytes arrived`, error);
    throw error;
  }
  // An empty result has its own problem.
  if (bytes > 0 && options.length !== undefined && bytes !== options.length) {
    throw new FileProblem('cutFile', `${bytes} of ${options.length} bytes arrived`);
  }
}

/**
 * Writes in blocks of about a mebibyte: while one is being written it's hashed and the next is filled; the stream is
 * paused while the disk is busy.
 */
async function write(
  file: WritableFile,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  proveRoom: () => Promise<void>,
): Promise<WrittenBytes> {
  const hash = createHash('sha256');
  let length = 0;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let writing = Promise.resolve();
  try {
    for await (const block of inBlocks(chunks)) {
      await writing;
      // The length may not be known, and others write too.
      if (length > 0 && length % roomEvery === 0) await proveRoom();
      writing = onDisk(file.write(block));
      // Reported before the next block, or at the end.
      writing.catch(() => {});
      hash.update(block);
      length += block.length;
      if (head.length < inspectedBytes) head = Buffer.concat([head, block.subarray(0, inspectedBytes - head.length)]);
      tail = Buffer.concat([tail, block.subarray(-inspectedBytes)]).subarray(-inspectedBytes);
    }
  } finally {
    // The file must not be closed during a write.
    await writing;
  }
  return { length, sha256: hash.digest('hex'), head, tail };
}

/**
 * The bytes in blocks of a mebibyte, the last one shorter. Two alternate, so that one can be written while the other is
 * filled: a block is valid until the next but one is requested.
 */
async function* inBlocks(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
  let [filling, other] = [Buffer.allocUnsafeSlow(mebibyte), Buffer.allocUnsafeSlow(mebibyte)];
  let filled = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length;) {
      const piece = chunk.subarray(from, from + mebibyte - filled);
      filling.set(piece, filled);
      from += piece.length;
      filled += piece.length;
      if (filled < mebibyte) continue;
      yield filling;
      [filling, other] = [other, filling];
      filled = 0;
    }
  }
  if (filled > 0) yield filling.subarray(0, filled);
}

/** The type of a file that is written here; throws when it's empty. */
function whole({ length }: WrittenBytes, { mediaType, extension }: FileType): FileType {
  if (length === 0) throw new FileProblem('emptyFile', '0 bytes arrived');
  return { mediaType, extension };
}
