import type { Random } from '../base/clock';
import { fileKey, type Hashed } from './sameFile';
import { numberedNames } from './names';
import { FileProblem } from './problem';

/** A file as it was found. */
export interface Found extends Hashed {
  /** Another one when something was written to the file, or another file has its name. */
  readonly stamp: string;
  readonly isReadOnly: boolean;
}

/** The largest file that is replaced, or replaces another, bytes: both are in memory at that time. */
export const largestReplaced = 256 * 1024 * 1024;

/** The file system operations that replacing needs. Files are URIs; failures are FileProblems. */
export interface Replacing {
  /** Undefined when there is no such file; rejects with `tooLargeThere` one of more than `largestReplaced` bytes. */
  read(file: string): Promise<Found | undefined>;
  /**
   * Creates a file, with the permissions of the one it is `like` where the system can. When it resolves, the bytes
   * survive a power loss if the system can guarantee that. Rejects when the name is taken.
   */
  write(file: string, bytes: Uint8Array, like?: string): Promise<void>;
  /** Renames a written file, atomically where the system can; false when the name is taken. The old name may remain. */
  take(written: string, name: string): Promise<boolean>;
  /**
   * Replaces a file with a written one, atomically where the system can; false when it has changed since it was
   * `found`.
   */
  swap(written: string, file: string, found: Found): Promise<boolean>;
  /**
   * Succeeds if there is none. A file that has changed since it was `found` stays: check and removal are one step where
   * the system can.
   */
  remove(file: string, found?: Found): Promise<void>;
}

/** The file that a user agreed to replace, in its state at that time. */
export interface AgreedReplacement {
  /** Hexadecimal; undefined when there was no file. */
  readonly sha256: string | undefined;
  readonly isReadOnly: boolean;
}

/** The file that was replaced. */
export interface Earlier {
  /** Its new location. */
  readonly uri: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/**
 * Why a file wasn't replaced. `changed`: it isn't the one agreed to, and stays. `readOnly`: nobody agreed to that.
 * `halfDone`: the system removed it without putting the other one there; it's at `earlier` (URI).
 */
export class NotReplaced extends Error {
  override readonly name = 'NotReplaced';

  constructor(
    readonly code: 'changed' | 'readOnly' | 'halfDone',
    readonly file: string,
    readonly earlier?: string,
    cause?: unknown,
  ) {
    super(`${file} wasn’t replaced (${code})`, { cause });
  }
}

/**
 * Replaces a file with these bytes, and returns the name next to it that the earlier file now has; undefined if there
 * was none, or it's identical. This is the only place that replaces anything, and only because a user agreed for
 * these two files: the file replaced in the last step is the one they agreed to, a copy of it is saved first, and
 * `prove` throws in that very step if the caller has lost the right to do so. Rejects with FileProblem, NotReplaced, or
 * as `prove`; except after NotReplaced `halfDone`, the file is then unchanged and nothing is left next to it.
 */
export async function replaceFile(
  files: Replacing,
  file: string,
  whole: Hashed,
  agreed: AgreedReplacement,
  random: Random,
  prove: () => void,
): Promise<Earlier | undefined> {
  const before = await files.read(file);
  if (before?.sha256 === whole.sha256) return undefined;
  // A missing file has nothing that could be lost.
  if (before && before.sha256 !== agreed.sha256) throw new NotReplaced('changed', file);
  if (before?.isReadOnly && !agreed.isReadOnly) throw new NotReplaced('readOnly', file);
  let earlier: Earlier | undefined;
  let kept: Found | undefined;
  let isTried = false as boolean;
  const tried = () => {
    prove();
    isTried = true;
  };
  try {
    if (before) earlier = { uri: await keepBeside(files, file, before, random), sha256: before.sha256 };
    if (earlier) kept = await files.read(earlier.uri);
    if (await putThere(files, file, whole, before, random, tried)) return earlier;
    isTried = false;
    throw new NotReplaced('changed', file);
  } catch (error) {
    if (await isThere(files, file, whole.sha256)) return earlier;
    // If it disappeared before the last step, or that step found a change, it stays as somebody else left it.
    if (isTried && earlier) await putBack(files, file, earlier, error);
    // A file of ours that can't be removed does no harm; anything else there isn't ours.
    if (earlier && kept && kept.sha256 === earlier.sha256) await files.remove(earlier.uri, kept).catch(() => {});
    throw error;
  }
}

/**
 * Writes a file that exists under its name only when complete; false when the name is taken. Rejects with FileProblem.
 */
export async function writeNew(
  files: Replacing,
  file: string,
  whole: Hashed,
  random: Random,
  like?: string,
): Promise<boolean> {
  return throughPart(files, file, whole, random, like, (part) => files.take(part, file));
}

/**
 * Saves a file's bytes as a copy next to it with the same permissions, under the first free name, and returns that:
 * `hero.earlier.png`, `hero.earlier-2.png`, …
 */
export async function keepBeside(files: Replacing, file: string, whole: Hashed, random: Random): Promise<string> {
  const [, base = '', ending = ''] = /^(.*?)(?:\.([^.]*))?$/.exec(baseNameOf(file)) ?? [];
  for (const name of numberedNames(`${base}.earlier`, ending)) {
    const beside = sibling(file, name);
    if (await writeNew(files, beside, whole, random, file)) return beside;
  }
  throw new FileProblem('notWritable', `no free name to keep ${file} under`);
}

/** The URI of another name in the folder of a file; a query, which some file systems need, stays. */
export function sibling(file: string, name: string): string {
  const [, folder = '', query = ''] = /^([^?#]*\/)[^/?#]*(.*)$/.exec(file) ?? [];
  return folder + encodeURIComponent(name) + query;
}

/** False when the file has changed since it was found. */
async function putThere(
  files: Replacing,
  file: string,
  whole: Hashed,
  before: Found | undefined,
  random: Random,
  prove: () => void,
): Promise<boolean> {
  return throughPart(files, file, whole, random, before && file, async (part) => {
    const now = await files.read(file);
    if (now?.sha256 !== before?.sha256) return false;
    prove();
    return now ? files.swap(part, file, now) : files.take(part, file);
  });
}

/** Writes the bytes under a hidden name, and renames that once they are verified. */
async function throughPart(
  files: Replacing,
  file: string,
  { bytes, sha256 }: Hashed,
  random: Random,
  like: string | undefined,
  give: (part: string) => Promise<boolean>,
): Promise<boolean> {
  const part = sibling(file, `.${baseNameOf(file)}.${random.uuid()}.part`);
  try {
    await files.write(part, bytes, like);
    // Some file systems report success but store nothing, or only a part.
    if (!(await isThere(files, part, sha256))) throw new FileProblem('notWritable', `${part} wasn’t stored completely`);
    return await give(part);
  } finally {
    // A file that can't be removed now does no harm: its name begins with a dot.
    await files.remove(part).catch(() => {});
  }
}

/** Restores a file that a failed attempt removed. Rejects with NotReplaced when it can't. */
async function putBack(files: Replacing, file: string, { uri, sha256 }: Earlier, cause: unknown): Promise<void> {
  try {
    const isGone = (await files.read(file)) === undefined;
    if (isGone && !((await files.take(uri, file)) && (await isThere(files, file, sha256))))
      throw new FileProblem('notWritable', `${file} no longer exists`);
  } catch {
    throw new NotReplaced('halfDone', file, uri, cause);
  }
}

/** False also when it can't be read. */
async function isThere(files: Replacing, file: string, sha256: string): Promise<boolean> {
  const found = await files.read(file).catch(() => undefined);
  return found?.sha256 === sha256;
}

/** The last segment of a file's URI, as it is on disk. */
function baseNameOf(file: string): string {
  return decodeURIComponent(/([^/?#]*)(?:[?#].*)?$/.exec(file)?.[1] ?? '');
}

/** A document that is open in the editor. */
interface OpenDocument {
  readonly uri: { toString(): string };
  readonly isDirty: boolean;
}

/**
 * True when the file (URI) is open with unsaved changes: replacing it on disk would lose either those or the new
 * content.
 */
export function hasUnsavedEdits(file: string, documents: readonly OpenDocument[]): boolean {
  const key = fileKey(file);
  return documents.some(({ uri, isDirty }) => isDirty && fileKey(uri.toString()) === key);
}
