import * as vscode from 'vscode';
import { plain } from '../../base/plain';
import type { LibraryEntry } from '../../renders/library';
import { fileNameOf } from '../../files/fileName';
import { openBeside } from '../openBeside';
import { told } from '../problemWords';
import type { Renders } from '../renders/renders';
import { pictureOfEntry } from './compareActions';
import type { OpenCompare } from './comparedPicture';

/**
 * Shows the images of one press next to the active editor, which keeps the focus, to keep some of them. One alone is
 * opened, and none is nothing to show.
 */
export async function openVariants(entries: readonly LibraryEntry[], openCompare: OpenCompare): Promise<void> {
  const shown = entries.flatMap((entry) => {
    const [picture, key] = [pictureOfEntry(entry), entry.record?.key];
    return picture && key !== undefined ? [{ entry, picture, key }] : [];
  });
  const [first, second] = shown;
  if (first && !second) return openBeside(first.entry);
  if (!first) return;
  const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const pictures = shown.map(({ picture }) => picture);
  await openCompare(pictures, 'sideBySide', { variants: shown.map(({ key }) => key) }, where);
}

/** Moves the results of these renders to the trash, next to so many that are kept. Rejects with UserError. */
export async function trashOthers(
  keys: readonly string[],
  kept: number,
  { staging, library }: Pick<Renders, 'staging' | 'library'>,
): Promise<void> {
  const left: string[] = [];
  for (const key of keys) {
    const { file } = library.ofRecord(key) ?? {};
    if (file === undefined || (await told(() => staging.trash(key)))) continue;
    left.push(plain(fileNameOf(file), 60));
  }
  if (left.length > 0) {
    const sentence = vscode.l10n.t(
      'Not moved to the trash, since there’s none or the file was changed: {0}',
      left.join(', '),
    );
    void vscode.window.showWarningMessage(sentence);
    return;
  }
  const sentence = vscode.l10n.t(
    'Kept {0} of {1} images. The others are in the trash, and their renders stay in Generations.',
    kept,
    kept + keys.length,
  );
  void vscode.window.showInformationMessage(sentence);
}
