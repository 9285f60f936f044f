import * as vscode from 'vscode';
import type { Log } from '../../base/log';
import { plain } from '../../base/plain';

/**
 * The bytes of a file that anybody may have written. Undefined for one that is not there, and, with a line in the log,
 * for one that has more bytes than `most`. Rejects when it cannot be read.
 */
export async function readUpTo(
  uri: vscode.Uri,
  most: number,
  log?: Pick<Log, 'warn'>,
): Promise<Uint8Array | undefined> {
  const { fs } = vscode.workspace;
  try {
    let { size } = await fs.stat(uri);
    if (size <= most) {
      const bytes = await fs.readFile(uri);
      if (bytes.length <= most) return bytes;
      // It has grown since it was looked at.
      size = bytes.length;
    }
    log?.warn(`${plain(vscode.workspace.asRelativePath(uri))} is too large to be read: ${size} bytes`);
    return undefined;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}
