import * as vscode from 'vscode';
import { UserError } from './userError';
import { subjectOf } from './beside';

/**
 * The file that a command applies to: from the Explorer or, by keyboard shortcut, the active one. Rejects with
 * UserError without one.
 */
export function fileOf(item: unknown): vscode.Uri {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = item ?? (input as { readonly uri?: unknown } | undefined)?.uri;
  if (uri instanceof vscode.Uri) return subjectOf(uri);
  throw new UserError(vscode.l10n.t('Select a file in the Explorer first.'));
}
