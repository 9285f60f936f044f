import * as vscode from 'vscode';
import { homeFolder } from '../../app/homeFolder';
import { calendar } from '../../files/calendar';
import { savedName, type SavedName } from '../../files/savedName';
import type { LibraryEntry } from '../../renders/library';
import type { Target } from '../../renders/record';
import type { Accepted } from '../../renders/staging';
import { resultName } from '../../renders/resultName';
import { checkSaved } from '../files/checkSaved';
import { exists } from '../files/exists';
import { fileNameOf } from '../../files/fileName';
import { plain } from '../../base/plain';
import type { Renders } from '../renders/renders';
import { told } from '../problemWords';

/**
 * Saves a result where the person chooses, replacing the file they agreed to replace, and under no other name without
 * asking.
 */
export async function saveAs(entry: LibraryEntry, renders: Renders): Promise<void> {
  const extension = entry.record?.spooled?.extension;
  const uri = await askWhere(extension, entry.record && resultName(entry.record, entry.record.target, calendar()));
  if (!uri) return;
  const typed = fileNameOf(uri.toString());
  // Its format is known only after the download: a text in the dialog says so.
  const named = savedName(typed, extension ?? /\.([^.]+)$/.exec(typed)?.[1] ?? '');
  if (extension !== undefined && !(await agreesToName(typed, named))) return;
  const saved = await told(() => save(entry.id, uri, named, typed, renders));
  if (saved?.file !== undefined && (saved.kept !== undefined || fileNameOf(saved.file) !== typed))
    void vscode.window.showInformationMessage(savedSentence(saved.file, saved.kept));
}

function savedSentence(file: string, kept: string | undefined): string {
  const path = plain(vscode.workspace.asRelativePath(vscode.Uri.parse(file, true)));
  return kept === undefined
    ? vscode.l10n.t('Saved {0}.', path)
    : vscode.l10n.t(
        'Saved {0}. There’s no trash here, so the earlier file is now called “{1}”.',
        path,
        plain(fileNameOf(kept), 80),
      );
}

/** Proposes the name that the result was to get, in the first open folder, or in the person's own. */
function askWhere(extension: string | undefined, fileName = 'render'): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file(homeFolder(process));
  const name = extension === undefined ? fileName : `${fileName}.${extension}`;
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Result'),
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: extension === undefined ? undefined : { [extension.toUpperCase()]: [extension] },
  });
}

/** True for the name as it was typed. */
async function agreesToName(typed: string, named: SavedName): Promise<boolean> {
  const name = nameOf(named);
  if (name === typed) return true;
  const question = vscode.l10n.t(
    'The result is in {0} format. Save it as “{1}”?',
    named.ending.toUpperCase(),
    plain(name, 80),
  );
  const yes = vscode.l10n.t('Save');
  return (await vscode.window.showWarningMessage(question, { modal: true }, yes)) === yes;
}

/**
 * Resolves with the files (URIs) that now exist. The dialog asked about replacing the file with the typed name, and no
 * other.
 */
async function save(
  key: string,
  uri: vscode.Uri,
  named: SavedName,
  typed: string,
  { deliver, staging }: Renders,
): Promise<Partial<Accepted> | undefined> {
  const root = vscode.Uri.joinPath(uri, '..').toString();
  const target: Target = { root, folder: '', ...named };
  if (nameOf(named) !== typed || !(await exists(uri))) return deliver.saveAs(key, target);
  checkSaved(uri.toString());
  return staging.saveOver(key, uri.toString(), root);
}

function nameOf({ fileName, ending }: SavedName): string {
  return ending === '' ? fileName : `${fileName}.${ending}`;
}
