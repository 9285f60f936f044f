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
