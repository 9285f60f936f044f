import * as vscode from 'vscode';
import { Owned, type Disposable } from '../base/disposable';

/** Watches files, by their URIs, for changes. */
export function watchFiles(uris: readonly string[], changed: () => void): Disposable {
  const own = new Owned();
  const files = new Set(uris);
  const folders = new Map(uris.map((uri) => [folderOf(uri).toString(), folderOf(uri)]));
  for (const folder of folders.values()) {
    const watcher = own.add(vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*')));
    const hear = (uri: vscode.Uri) => files.has(uri.toString()) && changed();
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) own.add(event(hear));
  }
  return own;
}

/** The folder of a file, by its URI. */
export function folderOf(uri: string): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.parse(uri, true), '..');
}
