import * as vscode from 'vscode';
import type { Log } from '../base/log';
import { warnOnce } from '../base/warnOnce';
import { plain } from '../base/plain';

/**
 * The bytes of a file that anybody may have written. Undefined for one that doesn't exist, and, with a line in the log,
 * for one that has more bytes than `most`. The line leaves out the name, which may be made from a prompt, unless it is
 * given as `name`. Rejects when the file can't be read, or is a device: that may never end.
 */
export async function readUpTo(
  uri: vscode.Uri,
  most: number,
  log: Pick<Log, 'warn'>,
  name = `“${relativePath(uri)}”`,
): Promise<Uint8Array | undefined> {
  const { fs } = vscode.workspace;
  try {
    const { size, type } = await fs.stat(uri);
    if ((type & (vscode.FileType.File | vscode.FileType.Directory)) === 0)
      throw vscode.FileSystemError.Unavailable(uri);
    const bytes = size <= most ? await fs.readFile(uri) : undefined;
    // It may have grown since it was looked at.
    if (bytes && bytes.length <= most) return bytes;
    warnOnce(log, `${name} is too large to be read: more than ${most} bytes`);
    return undefined;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

/** A file's path as the log shows it. */
export function relativePath(uri: vscode.Uri): string {
  return plain(vscode.workspace.asRelativePath(uri));
}
