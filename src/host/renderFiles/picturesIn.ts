import * as vscode from 'vscode';
import { tellingOf } from '../../files/telling';
import type { Pictures } from '../../renderFiles/states';
import { readBeside, readUpTo } from '../files/beside';

/** The largest file looked into, bytes. */
const largestFile = 256 * 1024 * 1024;

/** The images of a workspace folder, on whatever file system it is. */
export function picturesIn(folder: vscode.Uri): Pictures {
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
      const [bytes, beside] = await Promise.all([readUpTo(uri, largestFile), readBeside(uri)]);
      return tellingOf({ bytes, beside });
    },
  };
}
