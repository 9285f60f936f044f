import * as vscode from 'vscode';
import type { LibraryEntry } from '../renders/library';
import { targetFile } from './workspaceFiles';

/** True for a result saved under a name other than the document’s. */
export function isRenamed({ state, file, record }: LibraryEntry): boolean {
  const wanted = record && targetFile(record.target)?.toString();
  return (
    state === 'saved' &&
    file !== undefined &&
    wanted !== undefined &&
    vscode.Uri.parse(file, true).toString() !== wanted
  );
}
