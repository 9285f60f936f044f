import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import type { Log } from '../../base/log';
import { sidecarEnding } from '../../files/provenance';
import { tellingOf, type Telling } from '../../files/telling';
import type { Pictures } from '../../renderFiles/states';
import { readable } from '../files/fileOrigin';

/** The number of images whose metadata is kept. In a workspace with more, those used longest ago are read again. */
const mostKept = 5_000;

/** The images of a workspace folder, on any file system. Each is read again only after it has changed. */
export function picturesIn(folder: vscode.Uri, log: Log): Pictures {
  const known = new Map<string, { readonly stamp: string; readonly telling: Telling | undefined }>();
  return {
    names: async (below) => {
      try {
        return (await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(folder, below))).map(([name]) => name);
      } catch (error) {
        if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return [];
        throw error;
      }
    },
    telling: async (file) => {
      const uri = vscode.Uri.joinPath(folder, file);
      const stamps = await Promise.all([uri, uri.with({ path: uri.path + sidecarEnding })].map(stampOf));
      const stamp = stamps.join(' ');
      const before = known.get(file);
      known.delete(file);
      const telling = before?.stamp === stamp ? before.telling : await tellingOf(await readable(uri, log), systemClock);
      known.set(file, { stamp, telling });
      for (const oldest of known.keys()) {
        if (known.size <= mostKept) break;
        known.delete(oldest);
      }
      return telling;
    },
  };
}

/** Differs after the file was written; empty when it doesn't exist. */
async function stampOf(file: vscode.Uri): Promise<string> {
  try {
    const { mtime, size } = await vscode.workspace.fs.stat(file);
    return `${mtime}:${size}`;
  } catch {
    return '';
  }
}
