import * as vscode from 'vscode';
import { fileNameOf } from '../files/fileName';

/** A file that may become an input. Rejects when it doesn't exist. */
export async function imageSource(uri: vscode.Uri) {
  const { size, type } = await vscode.workspace.fs.stat(uri);
  const isOurs = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return {
    // A path outside the workspace says more about a person's computer than their render needs.
    file: isOurs ? vscode.workspace.asRelativePath(uri) : fileNameOf(uri.toString()),
    bytes: size,
    isFolder: (type & vscode.FileType.Directory) !== 0,
    read: async () => vscode.workspace.fs.readFile(uri),
  };
}
