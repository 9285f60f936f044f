import * as vscode from 'vscode';
import { systemClock, systemRandom } from '../../base/clock';
import type { Store } from '../../base/store';
import { plain } from '../../base/plain';
import { exists } from '../../editor/exists';
import { homeFolder } from '../../editor/homeFolder';
import { UserError } from '../../editor/userError';
import { explainUndelivered } from '../../editor/words';
import { checkSaved, replacing } from '../../editor/workspaceFiles';
import { calendar } from '../../files/calendar';
import { fileNameOf, isInstructions, savedName, type SavedName, spelledOut } from '../../files/names';
import { writeNew } from '../../files/replacement';
import { hashed } from '../../files/sameFile';
import type { LibraryEntry } from '../../renders/library';
import { resultName } from '../../renders/placement';
import type { Target } from '../../renders/record';
import type { Results } from '../../renders/results';
import type { Accepted } from '../../renders/staging';

/** Where the folder last saved to is kept, as a URI: for windows without an open folder. */
const lastFolder = 'saveAs.folder';

/**
 * Saves a result where the user chooses, replacing the file they agreed to replace, and under no other name without
 * asking.
 */
export async function saveAs(entry: LibraryEntry, results: Results, memory: Store): Promise<void> {
  const { record } = entry;
  const extension = record?.spooled?.extension;
  const folder = await proposedFolder(memory);
  const uri = await askWhere(folder, extension, record && resultName(record, record.target, calendar()));
  if (!uri) return;
  const typed = fileNameOf(uri.toString());
  // Before the download, its format isn't known.
  const named = savedName(typed, extension ?? /\.([^.]+)$/.exec(typed)?.[1] ?? '');
  if (extension !== undefined && !(await agreesToName(typed, named))) return;
  const mayInstruct = isInstructions(spelledOut(named));
  if (mayInstruct && !(await agreesToInstruct(spelledOut(named)))) return;
  const saved = await explainUndelivered(() => save(entry.id, uri, named, typed, results, mayInstruct));
  if (saved?.file !== undefined) await memory.update(lastFolder, folderOf(uri).toString());
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

/** The first open folder; without one, the folder that was last saved to, or the user's own. */
async function proposedFolder(memory: Store): Promise<vscode.Uri> {
  const open = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (open) return open;
  const kept = memory.get(lastFolder);
  const last = typeof kept === 'string' ? vscode.Uri.parse(kept, true) : undefined;
  return last && (await exists(last)) ? last : vscode.Uri.file(homeFolder(process));
}

/** Proposes the name that the result was to get. */
function askWhere(
  folder: vscode.Uri,
  extension: string | undefined,
  fileName = 'render',
): Thenable<vscode.Uri | undefined> {
  const name = extension === undefined ? fileName : `${fileName}.${extension}`;
  return vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Result'),
    defaultUri: vscode.Uri.joinPath(folder, name),
    filters: extension === undefined ? undefined : { [extension.toUpperCase()]: [extension] },
  });
}

/** True for the name as it was typed. */
async function agreesToName(typed: string, named: SavedName): Promise<boolean> {
  const name = spelledOut(named);
  if (name === typed) return true;
  const question = vscode.l10n.t(
    'The result is in {0} format. Save it as “{1}”?',
    named.ending.toUpperCase(),
    plain(name, 80),
  );
  const yes = vscode.l10n.t('Save');
  return (await vscode.window.showWarningMessage(question, { modal: true }, yes)) === yes;
}

/** Agents follow what's in such a file, and a service's text is a stranger's. */
async function agreesToInstruct(name: string): Promise<boolean> {
  const question = vscode.l10n.t('Agents follow the instructions in “{0}”. Save the result there?', plain(name, 80));
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
  { deliver, staging }: Results,
  mayInstruct: boolean,
): Promise<Partial<Accepted> | undefined> {
  const root = folderOf(uri).toString();
  const target: Target = { root, folder: '', ...named };
  if (spelledOut(named) !== typed || !(await exists(uri))) return deliver.saveAs(key, target, mayInstruct);
  checkSaved(uri.toString());
  return staging.saveOver(key, uri.toString(), root);
}

function folderOf(file: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(file, '..');
}

/** Saves an image as it came, before it was fitted, where the user chooses. Replaces nothing. */
export async function saveOriginal({ record, file }: LibraryEntry, { originals }: Results): Promise<void> {
  const original = record?.spooled?.original;
  if (!original) return;
  const { extension } = original;
  const saved = file === undefined ? undefined : vscode.Uri.parse(file, true);
  const folder = saved ? vscode.Uri.joinPath(saved, '..') : vscode.Uri.file(homeFolder(process));
  const base = saved ? fileNameOf(saved.path).replace(/\.[^.]*$/, '') : 'render';
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Original'),
    defaultUri: vscode.Uri.joinPath(folder, `${base}.original.${extension}`),
    filters: { [extension.toUpperCase()]: [extension] },
  });
  if (!uri) return;
  const isSaved = await explainUndelivered(async () => {
    const whole = await hashed(await originals.original(original), systemClock);
    const files = await replacing(uri.toString(), vscode.Uri.joinPath(uri, '..').toString());
    return writeNew(files, uri.toString(), whole, systemRandom);
  });
  if (!isSaved)
    throw new UserError(
      vscode.l10n.t('“{0}” already exists. Choose another name.', plain(fileNameOf(uri.toString()), 60)),
    );
}
