import { createHash } from 'node:crypto';
import type { Random } from '../base/random';
import { numberedNames } from './names';
import { FileProblem } from './problem';

/** What replacing needs of the file system a file is in. Files are URIs; failures are FileProblems. */
export interface Replacing {
  /** Undefined when there is no such file. */
  read(file: string): Promise<Uint8Array | undefined>;
  /** Gives a file another name as well, or a copy of it one; false when something has that name. */
  keep(file: string, name: string): Promise<boolean>;
  /** Creates a file; when it resolves, the bytes survive a loss of power where the system can promise that. Rejects when something has the name. */
  write(file: string, bytes: Uint8Array): Promise<void>;
  /** Puts a written file in the place of another: in one step where the system has one. */
  swap(written: string, file: string): Promise<void>;
  /** That there is none is as well. */
  remove(file: string): Promise<void>;
}

/** The file that was there before. */
export interface Earlier {
  /** Where it is from now on. */
  readonly uri: string;
  /** Hexadecimal. */
  readonly sha256: string;
}

/**
 * Puts these bytes in the place of a file, and gives the name beside it under which the earlier file is from now on; undefined when there
 * was none, or it is the same. The one place where something is replaced, and only because a person said so of these two files: the
 * earlier one keeps a name at every moment, and the name of the file is at every moment that of a whole one, wherever this is broken off.
 * Rejects with FileProblem; then the file is as it was.
 */
export async function replaceFile(
  files: Replacing,
  file: string,
  bytes: Uint8Array,
  random: Random,
): Promise<Earlier | undefined> {
  const before = await files.read(file);
  if (before && hashOf(before) === hashOf(bytes)) return undefined;
  const part = sibling(file, `.${nameOf(file)}.${random.uuid()}.part`);
  try {
    await files.write(part, bytes);
    const earlier = before && { uri: await keepBeside(files, file), sha256: hashOf(before) };
    await files.swap(part, file);
    return earlier;
  } catch (error) {
    // What cannot be removed now is in nobody's way: its name begins with a dot.
    await files.remove(part).catch(() => {});
    throw error;
  }
}

/** Hexadecimal SHA-256. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Keeps what a file holds beside it too, under the first free name, and gives that: `hero.earlier.png`, `hero.earlier (2).png`, … */
export async function keepBeside(files: Pick<Replacing, 'keep'>, file: string): Promise<string> {
  const [, base = '', ending = ''] = /^(.*?)(?:\.([^.]*))?$/.exec(nameOf(file)) ?? [];
  for (const name of numberedNames(`${base}.earlier`, ending)) {
    const beside = sibling(file, name);
    if (await files.keep(file, beside)) return beside;
  }
  throw new FileProblem('notWritable', `no free name for what ${file} holds`);
}

/** The URI of another name in the folder of a file; a query, which some file systems need, stays. */
export function sibling(file: string, name: string): string {
  const [, folder = '', query = ''] = /^([^?#]*\/)[^/?#]*(.*)$/.exec(file) ?? [];
  return folder + encodeURIComponent(name) + query;
}

/** The last segment of a file's URI, as it is on disk. */
function nameOf(file: string): string {
  return decodeURIComponent(/([^/?#]*)(?:[?#].*)?$/.exec(file)?.[1] ?? '');
}
