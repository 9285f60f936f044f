import * as vscode from 'vscode';
import type { ReadEdits } from '../../documents/asRead';

/** One edit of several documents at the versions that were read. */
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
 * Applies edits to documents at the versions that were read; false, without any change, when one has changed since. A
 * visible document is edited through its editor, which checks the version in the same step; a workspace edit checks
 * earlier, so a key pressed in between would shift the positions.
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
