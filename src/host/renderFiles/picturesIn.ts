import * as vscode from 'vscode';
import type { Log } from '../../base/log';
import { tellingOf } from '../../files/telling';
import type { Pictures } from '../../renderFiles/states';
import { readable } from '../files/fileOrigin';

/** The images of a workspace folder, on whatever file system it is. */
export function picturesIn(folder: vscode.Uri, log: Log): Pictures {
  return {
    names: async (below) => {
      try {
        return (await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(folder, below))).map(([name]) => name);
      } catch (error) {
        if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return [];
        throw error;
      }
    },
    telling: async (file) => tellingOf(await readable(vscode.Uri.joinPath(folder, file), log)),
  };
}
