import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import { editAsRead } from '../../documents/asRead';
import { entriesMoved, type Move } from '../../renderFiles/movedEntries';
import { pathIn } from '../links/filesThere';
import { relativePath } from '../../editor/readUpTo';
import { applyAsRead } from '../links/workspaceEdit';
import type { AllRenderFiles } from './allRenderFiles';
import type { RenderFiles, RenderText } from './renderFiles';

/**
 * Changes the entries of images that a person moves or renames in the editor. Saves a render file that had no unsaved
 * changes, so that it’s right for others, too.
 */
export function followMoves(files: RenderFiles, all: AllRenderFiles, log: Log): Disposable {
  const follow = async (folder: vscode.WorkspaceFolder, moves: readonly Move[]) => {
    // As they are now: an earlier move may have changed one just now.
    for (const { text, file } of (await all.look()).files) {
      const isHere = vscode.workspace.getWorkspaceFolder(text.uri) === folder;
      if (isHere && entriesMoved(file, moves).length > 0) await change(text, moves, files);
    }
  };
  return vscode.workspace.onDidRenameFiles(async ({ files: renamed }) => {
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      const isIn = (uri: vscode.Uri) => vscode.workspace.getWorkspaceFolder(uri) === folder;
      const moves = renamed
        .filter(({ oldUri, newUri }) => isIn(oldUri) && isIn(newUri))
        .map(({ oldUri, newUri }) => ({ from: pathIn(folder, oldUri), to: pathIn(folder, newUri) }));
      if (moves.length === 0) continue;
      await follow(folder, moves).catch((error: unknown) =>
        log.warn(`Couldn’t change the entries of moved images: ${reasonOf(error)}`),
      );
    }
  });
}

async function change({ uri }: RenderText, moves: readonly Move[], files: RenderFiles): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const wasSaved = !document.isDirty;
  const isDone = await editAsRead(async () => {
    const { version } = document;
    const read = await files.read(document);
    return [{ document, version, edits: read ? entriesMoved(read.file, moves) : [] }];
  }, applyAsRead);
  if (!isDone) throw new Error(`${relativePath(uri)} wasn’t changed`);
  if (wasSaved) await document.save();
}
