import * as vscode from 'vscode';
import { numberedNames } from '../../files/names';
import { exists } from '../../editor/exists';

/** The usual name of a render file. */
export const usualName = 'renders.jsonc';

/** The first name for a render file in a folder that no file has, on disk or in an editor. */
export async function newFileUri(folder: vscode.Uri): Promise<vscode.Uri> {
  const usual = vscode.Uri.joinPath(folder, usualName);
  if (!(await isTaken(usual))) return usual;
  for (const name of numberedNames('images', usualName)) {
    const uri = vscode.Uri.joinPath(folder, name);
    if (!(await isTaken(uri))) return uri;
  }
  return usual;
}

async function isTaken(uri: vscode.Uri): Promise<boolean> {
  const isOpen = vscode.workspace.textDocuments.some((document) => document.uri.path === uri.path);
  return isOpen || (await exists(uri));
}

/** Writes a new file and shows it; false if something has its name by now, or nothing can be written there. */
export async function writeAndShow(uri: vscode.Uri, text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { contents: new TextEncoder().encode(text) });
  if (!(await vscode.workspace.applyEdit(edit))) return false;
  await vscode.window.showTextDocument(uri, { preview: false });
  return true;
}
