import * as vscode from 'vscode';
import type { DocumentLink } from '../documents/documentLinks';
import { UserError } from '../../app/userError';
import type { MissingImages } from './missingImages';

/**
 * The link to a missing image that a command applies to: in the document with this URI at this offset (UTF-16 code
 * units), else at the cursor. Rejects with UserError without one.
 */
export async function missingAt(missing: MissingImages, uri: unknown, offset: unknown): Promise<DocumentLink> {
  const place = typeof uri === 'string' && typeof offset === 'number' ? await placeOf(uri, offset) : cursor();
  const link = place && (await missing.at(place.document, place.range));
  if (link) return link;
  throw new UserError(
    vscode.l10n.t('No missing image here. Place the cursor on a link to an image that doesn’t exist.'),
  );
}

async function placeOf(uri: string, offset: number) {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const at = document.positionAt(offset);
  return { document, range: new vscode.Range(at, at) };
}

function cursor() {
  const editor = vscode.window.activeTextEditor;
  return editor && { document: editor.document, range: editor.selection };
}
