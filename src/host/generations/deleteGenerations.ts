import * as vscode from 'vscode';
import type { LibraryEntry } from '../../renders/library';
import { views } from '../ids';
import { plain } from '../plain';
import { clientFor } from '../renders/clientFor';
import type { Renders } from '../renders/renders';
import { titleOf } from '../renders/renderWords';
import type { ResultWorld } from '../renders/resultWorld';
import { tellFailures } from '../renders/tellFailures';
import { toEach } from '../several';
import { UserError } from '../userError';
import { abilitiesOf } from './generationItem';

/** Asks once for all of them; what the service does on DELETE is not stated, so the question says only what is asked for. */
export async function deleteGenerations(
  entries: readonly LibraryEntry[],
  renders: Renders,
  world: ResultWorld,
): Promise<void> {
  const there = entries.filter((entry) => abilitiesOf(entry).includes('deleteGeneration'));
  const [first] = there;
  if (!first)
    throw new UserError(
      vscode.l10n.t(
        'Nothing of the selection can be deleted at the service now: it is under way, or was never accepted.',
      ),
    );
  await world.connection.ready();
  if (there.length === 1) clientFor(first, renders, world);
  if (!(await agrees(there, entries.length - there.length))) return;
  const failures = await vscode.window.withProgress({ location: { viewId: views.generations } }, () =>
    toEach(there, (entry) => deleteOne(entry, renders, world)),
  );
  tellFailures(failures, there.length, (failed, all) =>
    vscode.l10n.t('{0} of {1} renders were not deleted.', failed, all),
  );
}

async function deleteOne(entry: LibraryEntry, renders: Renders, world: ResultWorld): Promise<void> {
  const { ledger, library } = renders;
  // Asked for each: the account may change while the others are deleted.
  await clientFor(entry, renders, world).delete(entry.generationId ?? '');
  if (entry.record) ledger.advance(entry.id, () => ({ deleted: true }));
  library.forget(entry.generationId ?? '');
}

async function agrees(entries: readonly LibraryEntry[], others: number): Promise<boolean> {
  const [first] = entries;
  const yes = vscode.l10n.t('Delete at the Service');
  const question =
    entries.length === 1 && first
      ? vscode.l10n.t('Delete “{0}” at the service?', plain(titleOf(first), 80))
      : vscode.l10n.t('Delete {0} renders at the service?', entries.length);
  const detail = (entries.length === 1 ? detailOfOne(entries) : detailOfMany(entries))
    .concat(leftWords(others))
    .join(' ');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

function detailOfOne([entry]: readonly LibraryEntry[]): string[] {
  return [
    entry?.file === undefined
      ? vscode.l10n.t(
          'The service is asked to delete the render. Its result may then be gone for good: it is not saved here. The service does not state a refund for this.',
        )
      : vscode.l10n.t(
          'The service is asked to delete the render. The saved file stays. The service does not state a refund for this.',
        ),
  ];
}

function detailOfMany(entries: readonly LibraryEntry[]): string[] {
  const saved = entries.filter(({ file }) => file !== undefined).length;
  const unsaved = entries.length - saved;
  return [
    vscode.l10n.t('The service is asked to delete them, and does not state a refund for this.'),
    ...(saved > 0 ? [vscode.l10n.t('Files that are saved here stay: {0}.', saved)] : []),
    ...(unsaved > 0 ? [vscode.l10n.t('Results that are not saved here may be gone for good: {0}.', unsaved)] : []),
  ];
}

function leftWords(others: number): string[] {
  return others === 0
    ? []
    : [vscode.l10n.t('Left as they are, because they are under way or were never accepted: {0}.', others)];
}
