import * as vscode from 'vscode';
import { fileNameOf } from '../files/fileName';
import { plain } from '../base/plain';
import { hasUnsavedEdits } from '../files/unsaved';
import { UserError } from './userError';

/** Throws UserError when a file (URI) that is about to be replaced has unsaved changes in an editor. */
export function checkSaved(file: string): void {
  if (!hasUnsavedEdits(file, vscode.workspace.textDocuments)) return;
  throw new UserError(
    vscode.l10n.t(
      '“{0}” is open with unsaved changes, so it wasn’t replaced. Save or revert them, then try again.',
      plain(fileNameOf(file), 60),
    ),
  );
}
