import { reasonOf } from '../base/errors';
import type { ProblemCode } from '../renders/record';

/** The problems files can have, among all a render can have. `unreadable` is a result larger than we take. */
export type FileProblemCode = Extract<
  ProblemCode,
  'emptyFile' | 'cutFile' | 'unreadable' | 'diskFull' | 'notWritable' | 'outsideFolder' | 'folderGone' | 'tooLargeThere'
>;

/** A result that cannot be kept where it should be. `detail` is the system's own words or the name it is about. */
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
  // The editor's own names, from `vscode.FileSystemError`.
  FileNotFound: 'folderGone',
  FileNotADirectory: 'folderGone',
  Unavailable: 'folderGone',
};

/** Resolves as the file operation does; when it fails, rejects with the FileProblem that failure means. */
export async function onDisk<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    throw problemOf(error);
  }
}

/** The FileProblem that a failed file operation means. */
export function problemOf(error: unknown): FileProblem {
  if (error instanceof FileProblem) return error;
  return new FileProblem(codes[codeOf(error)] ?? 'notWritable', reasonOf(error), error);
}

/** The system's code of a failed file operation, for instance `EEXIST`; '' when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
