import * as vscode from 'vscode';
import { type Disposable, Disposables, Lazy } from '../base/disposable';
import type { Log } from '../base/log';

/**
 * Moves, renames, or deletes a file's sidecar along with it when a user does so in the editor, and restores it with
 * it. Runs after the editor's own operation: taking part beforehand would delay the gesture, and make the editor ask a
 * question. Loads its code with the first such gesture.
 */
export function followFiles(log: Log): Disposable {
  const own = new Disposables();
  const sidecars = new Lazy(async () => {
    const [{ Sidecars }, { editorBeside }] = await Promise.all([
      import('../files/sidecars'),
      import('./workspaceFiles'),
    ]);
    return new Sidecars(editorBeside(log), log);
  });
  const uris = (files: readonly vscode.Uri[]) => files.map((file) => file.toString());
  own.add(
    vscode.workspace.onDidRenameFiles(async ({ files }) => {
      const renamed = files.map(({ oldUri, newUri }) => ({ from: oldUri.toString(), to: newUri.toString() }));
      await (await sidecars.get()).renamed(renamed);
    }),
  );
  own.add(vscode.workspace.onDidDeleteFiles(async ({ files }) => (await sidecars.get()).deleted(uris(files))));
  own.add(vscode.workspace.onDidCreateFiles(async ({ files }) => sidecars.ready?.created(uris(files))));
  return own;
}
