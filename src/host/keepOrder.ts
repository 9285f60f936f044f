import type * as vscode from 'vscode';

/**
 * The rows of the quick pick stay in the order they are given. The editor would sort them by label, and has no stable
 * name for not doing so.
 */
export function keepOrder(picker: vscode.QuickPick<vscode.QuickPickItem>): void {
  if ('sortByLabel' in picker) picker.sortByLabel = false;
}
