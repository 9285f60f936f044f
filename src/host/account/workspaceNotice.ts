import * as vscode from 'vscode';
import { exists } from '../files/exists';

/**
 * Says once for a workspace that the service address its settings name does not count: a project must not decide where
 * an API key travels. What reads settings loads where there are some. Never rejects.
 */
export async function noticeWorkspaceAddress(workspaceState: vscode.Memento): Promise<void> {
  for (const file of settingsFiles()) {
    if (!(await exists(file))) continue;
    const { noticeAddress } = await import('./addressNotice');
    if (await noticeAddress(file, workspaceState)) return;
  }
}

function settingsFiles(): vscode.Uri[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const files = folders.map(({ uri }) => vscode.Uri.joinPath(uri, '.vscode', 'settings.json'));
  const { workspaceFile } = vscode.workspace;
  return workspaceFile && workspaceFile.scheme !== 'untitled' ? [workspaceFile, ...files] : files;
}
