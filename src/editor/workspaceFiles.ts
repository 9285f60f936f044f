import * as vscode from 'vscode';
import type { ReplaceableFiles } from '../files/workspaceReplacing';
import { exists } from './exists';

/** The editor's file systems, of any scheme. */
export const editorFiles: ReplaceableFiles = {
  stat: async (uri) => {
    const { type, size, mtime, permissions = 0 } = await vscode.workspace.fs.stat(vscode.Uri.parse(uri));
    const is = (kind: vscode.FileType) => (type & kind) !== 0;
    const kind = is(vscode.FileType.Directory) ? 'folder' : is(vscode.FileType.File) ? 'file' : 'other';
    const readOnly = (permissions & vscode.FilePermission.Readonly) !== 0;
    return { kind, link: is(vscode.FileType.SymbolicLink), size, changedAt: mtime, readOnly };
  },
  readDirectory: async (uri) => {
    const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.parse(uri));
    return entries.map(([name]) => name);
  },
  createDirectory: async (uri) => vscode.workspace.fs.createDirectory(vscode.Uri.parse(uri)),
  readFile: async (uri) => vscode.workspace.fs.readFile(vscode.Uri.parse(uri)),
  writeFile: async (uri, bytes) => vscode.workspace.fs.writeFile(vscode.Uri.parse(uri), bytes),
  rename: async (from, to) =>
    vscode.workspace.fs.rename(vscode.Uri.parse(from), vscode.Uri.parse(to), { overwrite: false }),
  copy: async (from, to) =>
    vscode.workspace.fs.copy(vscode.Uri.parse(from), vscode.Uri.parse(to), { overwrite: false }),
  replace: async (from, to) =>
    vscode.workspace.fs.rename(vscode.Uri.parse(from), vscode.Uri.parse(to), { overwrite: true }),
  delete: async (uri) => vscode.workspace.fs.delete(vscode.Uri.parse(uri), { useTrash: false }),
};

/** Moves a file (URI) to the trash; false where there is none. Never rejects. */
export async function trash(file: string): Promise<boolean> {
  const uri = vscode.Uri.parse(file);
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
    return true;
  } catch {
    // Not every file system has a trash, and a missing file needs none.
    return !(await exists(uri));
  }
}
