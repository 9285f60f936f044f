import * as vscode from 'vscode';
import { UserError } from '../../app/userError';
import { subjectOf } from './beside';

/**
 * The file a command is about: from the explorer or, by a key, the one in front. Rejects with UserError when there is
 * none.
 */
export function fileOf(item: unknown): vscode.Uri {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = item ?? (input as { readonly uri?: unknown } | undefined)?.uri;
  if (uri instanceof vscode.Uri) return subjectOf(uri);
  throw new UserError(vscode.l10n.t('Select a file in the Explorer first.'));
}
