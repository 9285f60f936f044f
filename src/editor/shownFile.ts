import * as vscode from 'vscode';

/**
 * A file's size and its URL for a webview, which differs for each version, so that a cached one isn't shown; empty if
 * it's missing or unreachable.
 */
export async function shownFile(
  file: vscode.Uri,
  webview: Pick<vscode.Webview, 'asWebviewUri'>,
): Promise<{ readonly bytes?: number; readonly address?: string }> {
  try {
    const { size: bytes, mtime } = await vscode.workspace.fs.stat(file);
    const version = file.query === '' ? file.with({ query: `${mtime}` }) : file;
    return { bytes, address: webview.asWebviewUri(version).toString() };
  } catch {
    return {};
  }
}
