/** Removing renders: to the trash with their files, from the service, and from the history, each after one question. */

import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { givenImagesIn } from '../../base/givenImage';
import { toEach } from '../../base/concurrency';
import { plain } from '../../base/plain';
import { promptOf } from '../../catalog/fields';
import type { Session } from '../../catalog/session';
import { Instructions } from '../../compose/instructions';
import { type ActionId, views } from '../../editor/ids';
import { onceRead } from '../../editor/standing';
import { UserError } from '../../editor/userError';
import { sentenceOf, explainUndelivered } from '../../editor/words';
import { imagesOf } from '../../files/givenImages';
import { fileNameOf } from '../../files/names';
import { isForgettable } from '../../renders/forgetting';
import { LedgerError } from '../../renders/ledgerError';
import type { LibraryEntry } from '../../renders/library';
import { clientFor } from '../account/connectedClient';
import type { Connection } from '../account/connection';
import { Comparisons } from '../compare/model/comparison';
import { Drafts } from '../models/model/drafts';
import { canDo } from '../rendering/model/actions';
import { tellFailures } from '../rendering/renderNotices';
import { titleOf } from '../rendering/renderWords';
import type { Memory, Renders } from '../rendering/renders';

/** Those that it can be done to. */
export function able(entries: readonly LibraryEntry[], id: ActionId): readonly LibraryEntry[] {
  return entries.filter((entry) => canDo(id, entry));
}

/** What removing renders uses. */
export interface RemovalDeps {
  readonly session: Session;
  readonly connection: Connection;
  readonly memory: Memory;
  /** The window's forms, once there are any. */
  readonly forms: { readonly ready: OpenForms | undefined };
}

/** What else goes when rows and files go to the trash. */
type AlsoGone = 'service' | 'history' | undefined;

/** Removes rows and their files after one question. What is paid and not saved, or waits for the user, stays. */
export async function moveToTrash(
  entries: readonly LibraryEntry[],
  renders: Renders,
  deps: RemovalDeps,
): Promise<void> {
  const there = able(entries, 'moveToTrash');
  if (there.length === 0)
    throw new UserError(
      vscode.l10n.t('Nothing selected can be moved to the trash yet. It’s in progress, not saved, or needs review.'),
    );
  const also = await askWhatGoes(there, entries.length - there.length);
  if (also === 'none') return;
  const { gone, changed } = await toTrash(there, renders);
  if (changed.length > 0)
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Not removed, because the file was changed: {0}', changed.join(', ')),
    );
  if (also === 'service') await deleteAtService(able(gone, 'deleteGeneration'), renders, deps);
  if (also === 'history')
    await forgetAll(
      gone.map(({ id }) => id),
      renders,
      deps.memory,
      deps.forms.ready,
    );
}

async function askWhatGoes(entries: readonly LibraryEntry[], others: number): Promise<AlsoGone | 'none'> {
  const [first] = entries;
  const files = entries.flatMap(({ file }) => file ?? []);
  const [file] = files;
  const one = plain(file === undefined ? (first ? titleOf(first) : '') : fileNameOf(file), 60);
  const yes = file === undefined ? vscode.l10n.t('Remove from List') : vscode.l10n.t('Move to Trash');
  const service = vscode.l10n.t('Also Delete from Service');
  const history = vscode.l10n.t('Also Delete from History');
  const question =
    entries.length > 1
      ? file === undefined
        ? vscode.l10n.t('Remove {0} renders from the list?', entries.length)
        : vscode.l10n.t('Move {0} renders and their files to the trash?', entries.length)
      : file === undefined
        ? vscode.l10n.t('Remove “{0}” from the list?', one)
        : vscode.l10n.t('Move “{0}” to the trash?', one);
  const detail = [
    vscode.l10n.t('It’s removed from Generations and the gallery. Amounts still count in your spending.'),
    ...(others > 0
      ? [vscode.l10n.t('Kept because they’re in progress or waiting for your decision: {0}.', others)]
      : []),
  ].join(' ');
  const isThere = able(entries, 'deleteGeneration').length > 0;
  const buttons = [yes, ...(isThere ? [service] : []), history];
  const ask = () => vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
  switch (await onceRead(ask)) {
    case yes:
      return undefined;
    case service:
      return 'service';
    case history:
      return 'history';
    default:
      return 'none';
  }
}

/** Those whose files are gone, for good after a question where there is no trash, and the names of changed files. */
async function toTrash(
  entries: readonly LibraryEntry[],
  { results }: Renders,
): Promise<{ readonly gone: readonly LibraryEntry[]; readonly changed: readonly string[] }> {
  const [gone, changed, homeless]: [LibraryEntry[], string[], LibraryEntry[]] = [[], [], []];
  const remove = async (entry: LibraryEntry, how: 'trashed' | 'deleted') => {
    const removal = await explainUndelivered(() => results.staging.remove(entry.id, how));
    if (removal === 'removed') {
      // Right after its file, so that a failure of the next one leaves no row without a file.
      results.hide(entry.id);
      gone.push(entry);
    } else if (removal === 'noTrash') homeless.push(entry);
    else changed.push(plain(fileNameOf(entry.file ?? ''), 60));
  };
  for (const entry of entries) await remove(entry, 'trashed');
  const yes = vscode.l10n.t('Delete');
  const question =
    homeless.length === 1
      ? vscode.l10n.t('There’s no trash here. Delete the file permanently?')
      : vscode.l10n.t('There’s no trash here. Delete {0} files permanently?', homeless.length);
  const left = [...homeless];
  if (left.length > 0 && (await vscode.window.showWarningMessage(question, { modal: true }, yes)) === yes)
    for (const entry of left) await remove(entry, 'deleted');
  return { gone, changed };
}

/** Asks once for all of them. It isn't specified what the service deletes, so the question states only the request. */
export async function deleteGenerations(
  entries: readonly LibraryEntry[],
  renders: Renders,
  { connection, session }: RemovalDeps,
): Promise<void> {
  const there = able(entries, 'deleteGeneration');
  const [first] = there;
  if (!first)
    throw new UserError(
      vscode.l10n.t(
        'Nothing selected can be deleted from the service right now: it’s in progress, waiting for review, or was never accepted.',
      ),
    );
  await connection.ready();
  if (there.length === 1) clientFor(first, renders, session);
  if (await agrees(there, entries.length - there.length))
    await deleteAtService(there, renders, { connection, session });
}

async function deleteAtService(
  there: readonly LibraryEntry[],
  renders: Renders,
  { connection, session }: Pick<RemovalDeps, 'connection' | 'session'>,
): Promise<void> {
  await connection.ready();
  const failures = await vscode.window.withProgress({ location: { viewId: views.generations } }, () =>
    toEach(there, (entry) => deleteOne(entry, renders, session)),
  );
  tellFailures(failures, there.length, (failed, all) =>
    vscode.l10n.t('Couldn’t delete {0} of {1} renders.', failed, all),
  );
}

async function deleteOne(entry: LibraryEntry, renders: Renders, session: Session): Promise<void> {
  // Checked for each one: the account may change meanwhile.
  await renders.results.deleteAtService(entry, clientFor(entry, renders, session));
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
      vscode.l10n.t('The selected renders can’t be deleted yet. They’re in progress or need review.'),
    );
  const question =
    there.length === 1
      ? vscode.l10n.t('Delete “{0}” from your render history?', plain(titleOf(first), 80))
      : vscode.l10n.t('Delete {0} renders from your render history?', there.length);
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
      ? vscode.l10n.t('Delete this project’s only render from your history?')
      : vscode.l10n.t('Delete all {0} renders of this project from your history?', keys.length);
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
  const yes = vscode.l10n.t('Delete');
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
  { results }: Renders,
  memory: Memory,
  forms: OpenForms | undefined,
): Promise<void> {
  const drafts = new Drafts(memory.workspaceState, memory.globalState);
  const instructions = new Instructions(memory.globalState);
  try {
    await inView(() =>
      results.forget(keys, async ({ modelId, inputs }) => {
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
      [
        vscode.l10n.t('Some deleted text may still be in files on this computer.'),
        sentenceOf(error),
        vscode.l10n.t('Run “Delete Project’s Render History” again later.'),
      ].join(' '),
    );
  } finally {
    forms?.renewPrompts();
  }
}

function inView<T>(act: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: { viewId: views.generations } }, act);
}
