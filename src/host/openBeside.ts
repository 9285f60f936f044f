import * as vscode from 'vscode';
import type { LibraryEntry } from '../renders/library';

/**
 * Opens a saved result beside a document, or beside what the person is writing, which keeps the focus. Never rejects:
 * the notice and the view tell of a result too.
 */
export async function openBeside({ file }: LibraryEntry, document?: vscode.Uri): Promise<void> {
  if (file === undefined) return;
  const group = document && groupOf(document);
  // Only with `Beside` the group stays the active one.
  const viewColumn = !group || group.isActive ? vscode.ViewColumn.Beside : group.viewColumn + 1;
  try {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(file), { viewColumn, preserveFocus: true });
  } catch {
    // Moved or deleted meanwhile.
  }
}

/** The group whose tabs hold the document; another may be the active one by now. */
function groupOf(document: vscode.Uri): vscode.TabGroup | undefined {
  const address = document.toString();
  const holds = ({ input }: vscode.Tab) => input instanceof vscode.TabInputText && input.uri.toString() === address;
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some(holds));
}
