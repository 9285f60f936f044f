import * as vscode from 'vscode';
import { addressIn, longestSettings } from '../../app/account/workspaceAddress';
import { readUpTo } from '../files/readUpTo';
import { plain } from '../../base/plain';

const told = 'toldWorkspaceAddress';

/**
 * Says once per workspace that the service URL in one of its settings files is ignored: a project must not decide where
 * an API key is sent. Resolves with whether the file sets one. Never rejects.
 */
export async function noticeWorkspaceAddress(file: vscode.Uri, workspaceState: vscode.Memento): Promise<boolean> {
  const address = await readAddress(file);
  if (address === undefined) return false;
  if (workspaceState.get(told) === address) return true;
  await workspaceState.update(told, address);
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} sets modelCatalog.baseUrl to {1}. It’s ignored, because only your user settings decide where your API key is sent.',
      plain(vscode.workspace.asRelativePath(file)),
      plain(address),
    ),
  );
  return true;
}

async function readAddress(file: vscode.Uri): Promise<string | undefined> {
  try {
    const bytes = await readUpTo(file, longestSettings);
    return bytes && addressIn(new TextDecoder().decode(bytes));
  } catch {
    // Most projects have no such file; one that can't be read or parsed sets nothing either.
    return undefined;
  }
}
