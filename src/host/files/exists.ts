import * as vscode from 'vscode';

/**
 * Whether something stands at a URI, of whatever file system. Never rejects: what cannot be reached counts as not
 * there.
 */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    // Not there, in a folder that is not, or out of reach: nothing can be done with it either way.
    return false;
  }
}
