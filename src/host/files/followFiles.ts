import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import type { Log } from '../../base/log';

/**
 * Has the file that tells how another was made follow that one, when a person renames, moves or deletes it in the
 * editor, and come back with it. It follows once the editor has done its part: a change asked of the editor beforehand
 * would have it hold the gesture up, and put a question of its own to the person. What does it loads with the first
 * such gesture.
 */
export function followFiles(log: Log): Disposable {
  const own = new Owned();
  const sidecars = new Lazy(async () => {
    const [{ Sidecars }, { editorBeside }] = await Promise.all([import('../../files/sidecars'), import('./beside')]);
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
