import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { type Log, reasonOf } from '../../base/log';
import { type GivenImage, hasGivenImage, isGivenImage, itemsOf, withItems } from '../../base/givenImage';
import type { Json, JsonObject } from '../../base/json';
import { plain } from '../../base/plain';
import { editAsRead } from '../../documents/link';
import { resolved } from '../../documents/paths';
import { loggedPath } from '../../editor/workspaceFiles';
import type { Images } from '../../renderFiles/givenFiles';
import { entriesMoved, type Move } from '../../renderFiles/movedEntries';
import { pathIn } from '../links/sites';
import { applyAsRead } from '../links/workspaceEdit';
import type { AllRenderFiles } from './allRenderFiles';
import type { RenderFiles, RenderText } from './renderFiles';

/**
 * Changes the entries of images that a user moves or renames in the editor. Saves a render file that had no unsaved
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
  if (!isDone) throw new Error(`${loggedPath(uri)} wasn’t changed`);
  if (wasSaved) await document.save();
}

/** Inputs whose images have the paths of their files in a workspace folder. */
export interface RecordedFiles {
  readonly inputs: JsonObject;
  /** What to tell about images whose files aren't as they were recorded. */
  readonly sentences: readonly string[];
}

/** Finds the files of images among recorded inputs, by the paths that were recorded with them. */
export async function recordedFiles(
  inputs: JsonObject,
  folder: vscode.WorkspaceFolder,
  images: Images,
): Promise<RecordedFiles> {
  const found: [string, Json][] = [];
  const sentences: string[] = [];
  for (const [name, input] of Object.entries(inputs)) {
    if (!hasGivenImage(input)) continue;
    for (const image of itemsOf(input).filter(isGivenImage)) {
      const path = recordedPath(folder, image);
      const there = path === undefined ? undefined : await images.given(path);
      const shown = plain(image.file || name, 80);
      if (!there || 'why' in there) sentences.push(lostSentence(shown));
      else if (there.image.sha256 !== image.sha256) sentences.push(changedSentence(shown));
    }
    const placed = (item: Json) => (isGivenImage(item) ? { ...item, file: recordedPath(folder, item) ?? '' } : item);
    found.push([name, withItems(input, placed)]);
  }
  return { inputs: Object.fromEntries([...Object.entries(inputs), ...found]), sentences };
}

/** A path in a workspace of several folders begins with the name of its folder. */
function recordedPath({ name }: vscode.WorkspaceFolder, { file }: GivenImage): string | undefined {
  const isNamed = (vscode.workspace.workspaceFolders ?? []).length > 1 && file.startsWith(`${name}/`);
  const path = isNamed ? file.slice(name.length + 1) : file;
  return path === '' ? undefined : resolved('', path);
}

function lostSentence(file: string): string {
  return vscode.l10n.t(
    '“{0}” isn’t in the workspace folder. Copy it there, then enter its path in the new entry.',
    file,
  );
}

function changedSentence(file: string): string {
  return vscode.l10n.t('“{0}” has changed. The new entry uses the changed image.', file);
}
