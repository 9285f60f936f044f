import * as vscode from 'vscode';
import { differencesOf, type Difference } from './model/differences';
import { plain } from '../../base/plain';
import type { Field } from '../../catalog/types';
import type { LibraryEntry } from '../../renders/library';
import { fileNameOf } from '../../files/fileName';
import { nextColumn, openBeside } from '../../editor/openBeside';
import { told } from '../../editor/problemWords';
import type { Renders } from '../rendering/renders';
import { pictureOfEntry } from './compareActions';
import type { OpenCompare } from './comparedPicture';

/**
 * Shows the images of one press next to the active editor, which keeps the focus, to keep some of them; with the
 * options in which they differ, by the fields of their model. One alone is opened, and none is nothing to show.
 */
export async function openVariants(
  entries: readonly LibraryEntry[],
  openCompare: OpenCompare,
  fields: readonly Field[],
): Promise<void> {
  const shown = entries.flatMap((entry) => {
    const [picture, key] = [pictureOfEntry(entry), entry.record?.key];
    return picture && key !== undefined ? [{ entry, picture, key }] : [];
  });
  const [first, second] = shown;
  if (first && !second) return openBeside(first.entry);
  if (!first) return;
  const where = { viewColumn: nextColumn(), preserveFocus: true };
  const differences = differencesOf(
    shown.map(({ entry }) => entry.inputs),
    fields,
  );
  const pictures = shown.map(({ picture }, index) => ({
    ...picture,
    detail: [...(differences[index] ?? []).map(differenceWords), picture.detail].filter(Boolean).join(' · '),
  }));
  await openCompare(pictures, 'sideBySide', { variants: shown.map(({ key }) => key) }, where);
}

function differenceWords({ label, value }: Difference): string {
  if (typeof value === 'string') return value;
  return vscode.l10n.t('{0}: {1}', label, value ? vscode.l10n.t('Yes') : vscode.l10n.t('No'));
}

/**
 * Removes the results of these renders, next to so many that are kept: into the trash, or for good after a question
 * where there is none. False when the person declined. Rejects with UserError.
 */
export async function removeOthers(keys: readonly string[], kept: number, renders: Removing): Promise<boolean> {
  const [homeless, changed] = await removed(keys, 'trashed', renders);
  if (homeless.length > 0 && !(await agreesToDelete(homeless.length))) return false;
  changed.push(...(await removed(homeless, 'deleted', renders))[1]);
  const sentence =
    changed.length > 0
      ? vscode.l10n.t('Not removed, because the file was changed: {0}', changed.join(', '))
      : vscode.l10n.t(
          'Kept {0} of {1} images. The renders of the others stay in Generations.',
          kept,
          kept + keys.length,
        );
  void vscode.window.showInformationMessage(sentence);
  return true;
}

type Removing = Pick<Renders, 'staging' | 'library'>;

/** The keys of those for which there's no trash, and the names of files that were changed. */
async function removed(
  keys: readonly string[],
  how: 'trashed' | 'deleted',
  { staging, library }: Removing,
): Promise<[homeless: string[], changed: string[]]> {
  const [homeless, changed]: [string[], string[]] = [[], []];
  for (const key of keys) {
    const { file = '' } = library.ofRecord(key) ?? {};
    const removal = await told(() => staging.remove(key, how));
    if (removal === 'noTrash') homeless.push(key);
    else if (removal === 'changed') changed.push(plain(fileNameOf(file), 60));
  }
  return [homeless, changed];
}

async function agreesToDelete(count: number): Promise<boolean> {
  const yes = vscode.l10n.t('Delete');
  const question = vscode.l10n.t('There’s no trash here. Delete the other images ({0}) permanently?', count);
  const detail = vscode.l10n.t(
    'They aren’t deleted from the service. To get one again while the service has it, use “Download Again” in the Generations view.',
  );
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}
