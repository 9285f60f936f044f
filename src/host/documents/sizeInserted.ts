import * as vscode from 'vscode';
import { rendersTo } from '../../documents/destination';
import { withSize } from '../../documents/edits';
import { imageLinks } from '../../documents/imageLinks';
import type { Size } from '../../documents/shape';
import type { Edit } from '../../documents/span';
import { syntaxOf } from '../../documents/syntax';
import type { Library } from '../../renders/library';
import { pathIn } from './documentLinks';
import { pictureSize } from './pictureSize';

/**
 * Adds to the link that was inserted for a render the size its picture turns out to have, so that a page does not jump; where the language
 * has a place for it, and the document is still open. Never rejects: a link is good without.
 */
export function sizeInserted(key: string, document: vscode.TextDocument, library: Pick<Library, 'onDidEnd'>): void {
  const listening = library.onDidEnd(({ id, file }) => {
    if (id !== key) return;
    listening.dispose();
    if (file !== undefined) void addSize(document, vscode.Uri.parse(file, true));
  });
}

async function addSize(document: vscode.TextDocument, file: vscode.Uri): Promise<void> {
  try {
    const size = pictureSize(await vscode.workspace.fs.readFile(file));
    const edit = size && !document.isClosed && sizeEdit(document, file, size);
    if (!edit) return;
    const change = new vscode.WorkspaceEdit();
    change.insert(document.uri, document.positionAt(edit.start), edit.text);
    await vscode.workspace.applyEdit(change);
  } catch {
    // A file that is gone already, or a document that cannot be written any more.
  }
}

function sizeEdit(document: vscode.TextDocument, file: vscode.Uri, size: Size): Edit | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  const syntax = syntaxOf(document.languageId, document.uri.path);
  if (!folder || !syntax || vscode.workspace.getWorkspaceFolder(file) !== folder) return undefined;
  const text = document.getText();
  for (const link of imageLinks(text, syntax)) {
    const destination = rendersTo(link, pathIn(folder, document.uri));
    if (destination.kind === 'none') continue;
    const paths = destination.candidates.flatMap((candidate) => candidate.paths);
    const edit = paths.includes(pathIn(folder, file)) ? withSize(text, link, size) : undefined;
    if (edit) return edit;
  }
  return undefined;
}
