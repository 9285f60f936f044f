import * as vscode from 'vscode';
import { plain } from '../../base/plain';

const told = 'toldWorkspaceAddress';

/**
 * Says once for a workspace that the service address its settings name does not count: a project must not decide where
 * an API key travels. Never rejects.
 */
export async function noticeWorkspaceAddress(workspaceState: vscode.Memento): Promise<void> {
  const found = await findAddress();
  if (!found || workspaceState.get(told) === found.address) return;
  await workspaceState.update(told, found.address);
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} sets modelCatalog.baseUrl to {1}. It’s ignored, because only your user settings decide where your API key is sent.',
      plain(vscode.workspace.asRelativePath(found.file)),
      plain(found.address),
    ),
  );
}

async function findAddress(): Promise<{ file: vscode.Uri; address: string } | undefined> {
  for (const file of settingsFiles()) {
    const address = await readAddress(file);
    if (address !== undefined) return { file, address };
  }
  return undefined;
}

function settingsFiles(): vscode.Uri[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const files = folders.map(({ uri }) => vscode.Uri.joinPath(uri, '.vscode', 'settings.json'));
  const { workspaceFile } = vscode.workspace;
  return workspaceFile && workspaceFile.scheme !== 'untitled' ? [workspaceFile, ...files] : files;
}

async function readAddress(file: vscode.Uri): Promise<string | undefined> {
  try {
    const { size } = await vscode.workspace.fs.stat(file);
    const { addressIn, longestSettings } = await import('../../app/account/workspaceAddress');
    if (size > longestSettings) return undefined;
    return addressIn(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
  } catch {
    // Most projects have no such file; one that can't be read, or nests too deep to be read, sets nothing either.
    return undefined;
  }
}
