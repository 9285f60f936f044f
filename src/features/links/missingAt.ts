import * as vscode from 'vscode';
import type { DocumentLink } from './documentLinks';
import { UserError } from '../../editor/userError';
import { longestDocument } from './model/linkReader';
import type { MissingImages } from './missingImages';
import { tooLarge } from './tooLarge';

/**
 * The link to a missing image that a command applies to: in the document with this URI at this offset (UTF-16 code
 * units), else at the cursor. Rejects with UserError without one, and when the document is too large to find it.
 */
export async function missingAt(missing: MissingImages, uri: unknown, offset: unknown): Promise<DocumentLink> {
  const place = typeof uri === 'string' && typeof offset === 'number' ? await placeOf(uri, offset) : await cursor();
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

async function cursor() {
  const editor = vscode.window.activeTextEditor;
  if (editor) return { document: editor.document, range: editor.selection };
  // The editor shows very large documents without giving extensions their text.
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  if (!(input instanceof vscode.TabInputText)) return undefined;
  if ((await vscode.workspace.fs.stat(input.uri)).size > longestDocument) throw tooLarge(input.uri);
  return undefined;
}
