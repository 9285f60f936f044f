import { reasonOf } from '../base/log';
import type { ProblemCode } from '../renders/record';

/**
 * The file-related problems of a render. `unreadable`: a result larger than we accept. `notResult`, `webPage`: the
 * service sent something else. `diskFailed`: any failure of a disk that isn't known to be another one.
 */
export type FileProblemCode = Extract<
  ProblemCode,
  | 'emptyFile'
  | 'cutFile'
  | 'notResult'
  | 'webPage'
  | 'unreadable'
  | 'diskFull'
  | 'diskFailed'
  | 'notWritable'
  | 'outsideFolder'
  | 'folderGone'
  | 'tooLargeThere'
>;

/**
 * A result that can't be saved where it should be. `detail` is the system's own message, the affected name, or the
 * beginning of the text that a service sent instead.
 */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';

  constructor(
    readonly code: FileProblemCode,
    readonly detail: string,
    cause?: unknown,
  ) {
    super(`${code}: ${detail}`, { cause });
  }
}

const codes: Readonly<Record<string, FileProblemCode>> = {
  ENOSPC: 'diskFull',
  EFBIG: 'diskFull',
  EDQUOT: 'diskFull',
  ENOENT: 'folderGone',
  ENOTDIR: 'folderGone',
  EACCES: 'notWritable',
  EPERM: 'notWritable',
  EROFS: 'notWritable',
  EISDIR: 'notWritable',
  EEXIST: 'notWritable',
  // The editor's error codes, from `vscode.FileSystemError`.
  FileNotFound: 'folderGone',
  FileNotADirectory: 'folderGone',
  Unavailable: 'folderGone',
  NoPermissions: 'notWritable',
  FileExists: 'notWritable',
  FileIsADirectory: 'notWritable',
};

/** Resolves as the file operation does; rejects with a FileProblem for its failure. */
export async function onDisk<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    throw problemOf(error);
  }
}

/** The FileProblem for a failed file operation. */
export function problemOf(error: unknown): FileProblem {
  if (error instanceof FileProblem) return error;
  return new FileProblem(codes[codeOf(error)] ?? 'diskFailed', reasonOf(error), error);
}

/** The system's error code of a failed file operation, such as `EEXIST`; '' without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Error codes of disks that don't know the modes of files. */
const modeless: ReadonlySet<string> = new Set(['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

/** As `onDisk` for an operation on a file's mode; undefined on a disk without modes, which keeps nobody out anyway. */
export async function ifModes<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (modeless.has(codeOf(error))) return undefined;
    throw problemOf(error);
  }
}
