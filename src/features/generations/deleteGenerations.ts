import * as vscode from 'vscode';
import type { LibraryEntry } from '../../renders/library';
import { views } from '../../editor/ids';
import { plain } from '../../base/plain';
import { clientFor } from '../account/connectedClient';
import type { Renders } from '../rendering/renders';
import { titleOf } from '../rendering/renderWords';
import { tellFailures } from '../rendering/tellFailures';
import { toEach } from '../../base/several';
import { UserError } from '../../editor/userError';
import { canDo } from '../rendering/model/actions';
import type { ActionDeps } from './resultActions';
import type { Session } from '../../catalog/session';

/** Asks once for all of them. It isn't specified what the service deletes, so the question states only the request. */
export async function deleteGenerations(
  entries: readonly LibraryEntry[],
  renders: Renders,
  { connection, session }: Pick<ActionDeps, 'connection' | 'session'>,
): Promise<void> {
  const there = entries.filter((entry) => canDo('deleteGeneration', entry));
  const [first] = there;
  if (!first)
    throw new UserError(
      vscode.l10n.t(
        'Nothing selected can be deleted from the service right now: it’s in progress, waiting for review, or was never accepted.',
      ),
    );
  await connection.ready();
  if (there.length === 1) clientFor(first, renders, session);
  if (!(await agrees(there, entries.length - there.length))) return;
  const failures = await vscode.window.withProgress({ location: { viewId: views.generations } }, () =>
    toEach(there, (entry) => deleteOne(entry, renders, session)),
  );
  tellFailures(failures, there.length, (failed, all) =>
    vscode.l10n.t('Couldn’t delete {0} of {1} renders.', failed, all),
  );
}

async function deleteOne(entry: LibraryEntry, renders: Renders, session: Session): Promise<void> {
  // Checked for each one: the account may change meanwhile.
  await renders.deletion.atService(entry, clientFor(entry, renders, session));
}

async function agrees(entries: readonly LibraryEntry[], others: number): Promise<boolean> {
  const [first] = entries;
  const yes = vscode.l10n.t('Delete from Service');
  const question =
    entries.length === 1 && first
      ? vscode.l10n.t('Delete “{0}” from the service?', plain(titleOf(first), 80))
      : vscode.l10n.t('Delete {0} renders from the service?', entries.length);
  const detail = (entries.length === 1 ? detailOfOne(entries) : detailOfMany(entries))
    .concat(leftWords(others))
    .join(' ');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

function detailOfOne([entry]: readonly LibraryEntry[]): string[] {
  return [
    entry?.file === undefined
      ? vscode.l10n.t(
          'Its result isn’t saved on this computer, so it may be lost for good. The service doesn’t state a refund for deleted renders.',
        )
      : vscode.l10n.t('The saved file stays on this computer. The service doesn’t state a refund for deleted renders.'),
  ];
}

function detailOfMany(entries: readonly LibraryEntry[]): string[] {
  const saved = entries.filter(({ file }) => file !== undefined).length;
  const unsaved = entries.length - saved;
  return [
    vscode.l10n.t('The service doesn’t state a refund for deleted renders.'),
    ...(saved > 0 ? [vscode.l10n.t('Saved files that stay on this computer: {0}.', saved)] : []),
    ...(unsaved > 0 ? [vscode.l10n.t('Unsaved results that may be lost for good: {0}.', unsaved)] : []),
  ];
}

function leftWords(others: number): string[] {
  return others === 0
    ? []
    : [vscode.l10n.t('Skipped, because they’re in progress, waiting for review, or were never accepted: {0}.', others)];
}
