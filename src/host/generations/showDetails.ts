import * as vscode from 'vscode';
import type { LibraryEntry } from '../../renders/library';
import { detailsScheme } from '../ids';
import { oneLine } from '../plain';
import { titleOf } from '../renders/renderWords';

/** Opens the document that tells all of a render. */
export async function showDetails(entry: LibraryEntry): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(addressOf(entry)));
}

/** The render's key is the query; the path is what the tab says. */
function addressOf(entry: LibraryEntry): vscode.Uri {
  const title = oneLine(titleOf(entry), 40).replaceAll(/[/\\]/g, ' ');
  const path = `/${vscode.l10n.t('{0} (details)', title)}`;
  return vscode.Uri.from({ scheme: detailsScheme, path, query: entry.id });
}
