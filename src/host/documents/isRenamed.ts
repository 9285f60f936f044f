import * as vscode from 'vscode';
import type { LibraryEntry } from '../../renders/library';
import { targetFile } from '../files/targetFile';

/** True for a result that was saved under another name than the document’s it was rendered for. */
export function isRenamed({ state, file, record }: LibraryEntry): boolean {
  const wanted = record && targetFile(record.target)?.toString();
  return (
    state === 'saved' &&
    file !== undefined &&
    wanted !== undefined &&
    vscode.Uri.parse(file, true).toString() !== wanted
  );
}
