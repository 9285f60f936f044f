import * as vscode from 'vscode';
import type { ReadEdits } from '../../documents/asRead';

/** One change of documents, which are as they were read. */
export function workspaceEdit(
  read: readonly Pick<ReadEdits<vscode.TextDocument>, 'document' | 'edits'>[],
): vscode.WorkspaceEdit {
  const change = new vscode.WorkspaceEdit();
  for (const { document, edits } of read)
    for (const { start, end, text } of edits)
      change.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  return change;
}

/**
 * Changes documents as they were read; false where one is no longer so, and then nothing is changed. A document in
 * sight is changed through its editor, which compares the version in the very step of the change; a change of the
 * workspace compares it earlier, and a key pressed in between would move the places.
 */
export async function applyAsRead(read: readonly ReadEdits<vscode.TextDocument>[]): Promise<boolean> {
  const [first, ...others] = read;
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document === first?.document);
  if (!editor || !first || others.length > 0) return vscode.workspace.applyEdit(workspaceEdit(read));
  const { document, edits } = first;
  return editor.edit((builder) => {
    for (const { start, end, text } of edits)
      builder.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  });
}
