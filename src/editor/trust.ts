import * as vscode from 'vscode';
import { UserError } from './userError';

/**
 * For commands that send what files of the workspace say. Throws UserError in Restricted Mode, with the way to trust
 * the workspace.
 */
export function requireTrust(): void {
  if (vscode.workspace.isTrusted) return;
  const sentence = vscode.l10n.t('In Restricted Mode, nothing is sent from the workspace. Trust it, then try again.');
  const title = vscode.l10n.t('Manage Workspace Trust');
  const run = () => vscode.commands.executeCommand('workbench.trust.manage');
  throw new UserError(sentence, { remedy: { title, run } });
}
