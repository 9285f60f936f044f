import * as vscode from 'vscode';
import { plain } from '../plain';
import { addressIn } from './workspaceAddress';

const told = 'toldWorkspaceAddress';

/**
 * Says once for a workspace that the service address its settings name does not count: a project must not decide where an API
 * key travels. Never rejects.
 */
export async function noticeWorkspaceAddress(workspaceState: vscode.Memento): Promise<void> {
  const found = await findAddress();
  if (!found || workspaceState.get(told) === found.address) return;
  await workspaceState.update(told, found.address);
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      '{0} sets modelCatalog.baseUrl to {1}. This is ignored: only your user settings say where your API key goes.',
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
    return addressIn(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
  } catch {
    // No such file, the usual case; one that cannot be read sets nothing either.
    return undefined;
  }
}
