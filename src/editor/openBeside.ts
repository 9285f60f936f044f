import * as vscode from 'vscode';
import type { LibraryEntry } from '../renders/library';

/**
 * Opens a saved result next to a document, or next to the active editor, which keeps the focus. Never rejects: the
 * notification and the view show a result too.
 */
export async function openBeside({ file }: LibraryEntry, document?: vscode.Uri): Promise<void> {
  if (file === undefined) return;
  const group = document && groupOf(document);
  const viewColumn = !group || group.isActive ? nextColumn() : group.viewColumn + 1;
  try {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(file), { viewColumn, preserveFocus: true });
  } catch {
    // Moved or deleted meanwhile.
  }
}

/** The column next to the active group. */
export function nextColumn(): vscode.ViewColumn {
  const { Active, Beside } = vscode.ViewColumn;
  // Only `Beside` leaves the current group active, but next to an empty one it would leave that empty.
  return vscode.window.tabGroups.activeTabGroup.tabs.length === 0 ? Active : Beside;
}

/** The group with the document's tab; another may be active by now. */
function groupOf(document: vscode.Uri): vscode.TabGroup | undefined {
  const address = document.toString();
  const holds = ({ input }: vscode.Tab) => input instanceof vscode.TabInputText && input.uri.toString() === address;
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(holds));
}
