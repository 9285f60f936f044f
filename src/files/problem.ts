import { reasonOf } from '../base/errors';
import type { ProblemCode } from '../renders/record';

/** The file-related problems of a render. `unreadable`: a result larger than we accept. */
export type FileProblemCode = Extract<
  ProblemCode,
  'emptyFile' | 'cutFile' | 'unreadable' | 'diskFull' | 'notWritable' | 'outsideFolder' | 'folderGone' | 'tooLargeThere'
>;

/** A result that can't be saved where it should be. `detail` is the system's own message or the affected name. */
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
  // The editor's error codes, from `vscode.FileSystemError`.
  FileNotFound: 'folderGone',
  FileNotADirectory: 'folderGone',
  Unavailable: 'folderGone',
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
  return new FileProblem(codes[codeOf(error)] ?? 'notWritable', reasonOf(error), error);
}

/** The system's error code of a failed file operation, such as `EEXIST`; '' without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
