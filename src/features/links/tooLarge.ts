import * as vscode from 'vscode';
import { UserError } from '../../editor/userError';
import { relativePath } from '../../editor/readUpTo';

/** Why no missing image was found in a document that is too large to find all of them. */
export function tooLarge(document: vscode.Uri): UserError {
  return new UserError(
    vscode.l10n.t(
      '“{0}” is too large to search for images. Split it into smaller documents, then try again.',
      relativePath(document),
    ),
  );
}
