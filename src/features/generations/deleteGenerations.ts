import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { givenImagesIn } from '../../base/givenImage';
import { plain } from '../../base/plain';
import { toEach } from '../../base/text';
import { promptOf } from '../../catalog/fields';
import type { Session } from '../../catalog/session';
import { Instructions } from '../../compose/instructions';
import { views } from '../../editor/ids';
import { UserError } from '../../editor/userError';
import { sentenceOf } from '../../editor/words';
import { imagesOf } from '../../files/givenImages';
import { isForgettable } from '../../renders/forgetting';
import { LedgerError } from '../../renders/ledgerError';
import type { LibraryEntry } from '../../renders/library';
import { clientFor } from '../account/connectedClient';
import { Comparisons } from '../compare/model/comparison';
import { Drafts } from '../models/model/drafts';
import { canDo } from '../rendering/model/actions';
import { tellFailures } from '../rendering/renderNotices';
import { titleOf } from '../rendering/renderWords';
import type { Memory, Renders } from '../rendering/renders';
import type { ActionDeps } from './resultActions';

/** Asks once for all of them. It isn't specified what the service deletes, so the question states only the request. */
export async function deleteGenerations(
  entries: readonly LibraryEntry[],
  renders: Renders,
  { connection, session }: ActionDeps,
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

/** The forms of the window that are open, for the texts in them. */
export interface OpenForms {
  /** Empties the model's form if it has that text. */
  forget(modelId: string, text: string): void;
  /** Reads the earlier prompts that forms offer again. */
  renewPrompts(): void;
}

/** Asks once for all of them; their costs stay in the sums. */
export async function forgetGenerations(
  entries: readonly LibraryEntry[],
  renders: Renders,
  memory: Memory,
  forms: OpenForms | undefined,
): Promise<void> {
  const there = entries.filter((entry) => canDo('forgetGeneration', entry));
  const [first] = there;
  if (!first)
    throw new UserError(
      vscode.l10n.t('The selected renders can’t be forgotten now. They’re in progress or waiting for your decision.'),
    );
  const question =
    there.length === 1
      ? vscode.l10n.t('Forget “{0}” on this computer?', plain(titleOf(first), 80))
      : vscode.l10n.t('Forget {0} renders on this computer?', there.length);
  const keys = there.map(({ id }) => id);
  if (await agreesToForget(question, entries.length - there.length)) await forgetAll(keys, renders, memory, forms);
}

/** The same for every render, of any account, that was ordered for the open folders. */
export async function forgetProject(renders: Renders, memory: Memory, forms: OpenForms | undefined): Promise<void> {
  const roots = new Set(vscode.workspace.workspaceFolders?.map(({ uri }) => uri.toString()));
  if (roots.size === 0) throw new UserError(vscode.l10n.t('Open a folder first.'));
  const { keys, left } = await inView(() => rendersOf(roots, renders));
  if (keys.length === 0) {
    // Traces of earlier ones may still be in the ledger's file: running this again is how a user retries a failure.
    await forgetAll(keys, renders, memory, forms);
    void vscode.window.showInformationMessage(
      left === 0
        ? vscode.l10n.t('There are no renders of this project on this computer.')
        : vscode.l10n.t('Kept because they’re in progress or waiting for your decision: {0}.', left),
    );
    return;
  }
  const question =
    keys.length === 1
      ? vscode.l10n.t('Forget the one render of this project on this computer?')
      : vscode.l10n.t('Forget all {0} renders of this project on this computer?', keys.length);
  if (!(await agreesToForget(question, left))) return;
  await forgetAll(keys, renders, memory, forms);
  // Also those that were chosen for a price alone.
  imagesOf(memory).forgetProject();
}

async function rendersOf(roots: ReadonlySet<string>, { library }: Renders): Promise<{ keys: string[]; left: number }> {
  const keys: string[] = [];
  let left = 0;
  for await (const records of library.slices())
    for (const record of records) {
      if (record.target.root === undefined || !roots.has(record.target.root)) continue;
      if (isForgettable(record)) keys.push(record.key);
      else if (!record.forgotten) left += 1;
    }
  return { keys, left };
}

async function agreesToForget(question: string, left: number): Promise<boolean> {
  const yes = vscode.l10n.t('Forget');
  const detail = [
    vscode.l10n.t(
      'Prompts, inputs, and responses are permanently removed from this computer. Amounts still count in your spending. Saved files are kept, including prompts that are stored in them. Nothing is deleted from the service.',
    ),
    ...(left > 0 ? [vscode.l10n.t('Kept because they’re in progress or waiting for your decision: {0}.', left)] : []),
  ].join(' ');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}

async function forgetAll(
  keys: readonly string[],
  { deletion }: Renders,
  memory: Memory,
  forms: OpenForms | undefined,
): Promise<void> {
  const drafts = new Drafts(memory.workspaceState, memory.globalState);
  const instructions = new Instructions(memory.globalState);
  try {
    await inView(() =>
      deletion.here(keys, async ({ modelId, inputs }) => {
        const prompt = promptOf(undefined, inputs);
        const images = givenImagesIn(inputs).map(({ sha256 }) => sha256);
        for (const text of [prompt, ...images].filter((one) => one !== '')) {
          forms?.forget(modelId, text);
          await drafts.forget(modelId, text, systemClock.now());
        }
        if (prompt !== '') await instructions.forget(prompt);
      }),
    );
    await new Comparisons(memory.workspaceState).forgetDetails();
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    throw new UserError(
      vscode.l10n.t(
        'Some forgotten text may still be in files on this computer. {0} Run “Forget Renders of This Project…” again later.',
        sentenceOf(error),
      ),
    );
  } finally {
    forms?.renewPrompts();
  }
}

function inView<T>(act: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: { viewId: views.generations } }, act);
}
