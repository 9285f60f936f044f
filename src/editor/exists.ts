import * as vscode from 'vscode';

/** Whether a URI exists, in any file system. Never rejects: what can't be reached counts as missing. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    // Missing, in a missing folder, or unreachable: it can't be used either way.
    return false;
  }
}
