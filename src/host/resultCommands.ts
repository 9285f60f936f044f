import * as vscode from 'vscode';
import type { Lazy } from '../base/lazy';
import { formatCents } from '../base/money';
import { systemRandom } from '../base/random';
import { promptOf } from '../catalog/fields';
import type { CatalogClient } from '../catalog/client';
import type { Session } from '../catalog/session';
import { FileProblem } from '../files/problem';
import type { LibraryEntry } from '../renders/library';
import type { RenderRecord, Target } from '../renders/record';
import { Undelivered } from '../renders/undelivered';
import type { Commands } from './commands';
import type { Connection } from './connection';
import { commands as ids } from './ids';
import { plain } from './plain';
import { titleOf } from './renderWords';
import type { Renders } from './renders';
import { UserError } from './userError';
import { problemSentence } from './words';

/** What a render's commands need. */
export interface ResultWorld {
  readonly renders: Lazy<Renders>;
  readonly session: Session;
  readonly connection: Connection;
  /** Opens the form of a model with these inputs. */
  openForm(modelId: string, inputs: LibraryEntry['inputs']): Promise<void>;
}

/** One command per thing that can be done to a render. Each takes the render's item of the view, or its id. */
export function registerResultCommands(commands: Commands, world: ResultWorld): void {
  const on = (id: (typeof ids)[keyof typeof ids], act: (entry: LibraryEntry, renders: Renders) => unknown) =>
    commands.register(id, async (arg) => {
      const renders = await world.renders.get();
      return act(entryOf(renders, arg), renders);
    });

  on(ids.openResult, open);
  on(ids.revealResult, reveal);
  on(ids.copyPath, copyPath);
  on(ids.copyPrompt, (entry) => vscode.env.clipboard.writeText(promptOf(undefined, entry.inputs)));
  on(ids.openInForm, (entry) => world.openForm(entry.modelId ?? '', entry.inputs));
  on(ids.renderAgain, (entry, renders) => renderAgain(entry, renders, world));
  on(ids.downloadAgain, (entry, renders) => downloadAgain(entry, renders, world));
  on(ids.saveAs, saveAs);
  on(ids.deleteGeneration, (entry, renders) => deleteGeneration(entry, renders, world));
  on(ids.sendPlanned, (entry, renders) => sendPlanned(entry, renders, world));
  on(ids.discardPlanned, (entry, { renderer }) => renderer.discard(entry.id));
  on(ids.compareWithService, (entry, renders) => compare(entry, renders, world));
}

function entryOf({ library }: Renders, arg: unknown): LibraryEntry {
  const id = typeof arg === 'string' ? arg : (arg as { readonly id?: unknown } | undefined)?.id;
  const entry = typeof id === 'string' ? library.get(id) : undefined;
  if (!entry) throw new UserError(vscode.l10n.t('Choose a render in the Generations view first.'));
  return entry;
}

async function open(entry: LibraryEntry): Promise<void> {
  if (entry.file !== undefined) {
    await vscode.commands.executeCommand('vscode.open', await present(entry));
    return;
  }
  const content = entry.textOutput ?? '';
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language: 'markdown' }));
}

async function reveal(entry: LibraryEntry): Promise<void> {
  const uri = await present(entry);
  const command = vscode.workspace.getWorkspaceFolder(uri) ? 'revealInExplorer' : 'revealFileInOS';
  await vscode.commands.executeCommand(command, uri);
}

async function copyPath(entry: LibraryEntry): Promise<void> {
  const uri = vscode.Uri.parse(entry.file ?? '');
  await vscode.env.clipboard.writeText(uri.scheme === 'file' ? uri.fsPath : uri.toString(true));
}

/** The saved file; a sentence with the next step when it is no longer there. */
async function present(entry: LibraryEntry): Promise<vscode.Uri> {
  const uri = vscode.Uri.parse(entry.file ?? '');
  try {
    await vscode.workspace.fs.stat(uri);
    return uri;
  } catch {
    // Moved, renamed or deleted since: the service may still have it.
    throw new UserError(
      vscode.l10n.t(
        '{0} is not there any more. “Download Again” brings it back.',
        plain(vscode.workspace.asRelativePath(uri)),
      ),
    );
  }
}

/** The price was not on the screen when the person pressed: it is asked for and shown before anything is spent. */
async function renderAgain(
  entry: LibraryEntry,
  { spend, targets }: Renders,
  world: ResultWorld,
): Promise<RenderRecord | undefined> {
  await world.connection.start();
  const { client } = world.session;
  if (!client || entry.modelId === undefined)
    throw new UserError(vscode.l10n.t('Connect an account first, then render again.'));
  const quote = await client.quote(entry.modelId, entry.inputs);
  if (quote.costCents !== undefined && !(await agrees(entry, quote.costCents))) return undefined;
  const order = {
    intent: systemRandom.uuid(),
    modelId: entry.modelId,
    inputs: entry.inputs,
    target: entry.record?.target.root === undefined ? targets.default() : entry.record.target,
    shownCents: quote.costCents,
    account: client.account,
  };
  return spend.renderAgreed(order);
}

async function agrees(entry: LibraryEntry, costCents: number): Promise<boolean> {
  const yes = vscode.l10n.t('Render for {0}', formatCents(costCents, vscode.env.language));
  const question = vscode.l10n.t('Render “{0}” again?', plain(titleOf(entry), 80));
  return (await vscode.window.showInformationMessage(question, { modal: true }, yes)) === yes;
}

async function downloadAgain(entry: LibraryEntry, renders: Renders, world: ResultWorld): Promise<void> {
  await world.connection.start();
  if (entry.record) return told(() => renders.downloader.downloadAgain(entry.id));
  const target = await renders.targets.decide(renders.targets.default());
  if (entry.generation && target) renders.downloader.takeUp(entry.generation, target);
}

async function saveAs(entry: LibraryEntry, { downloader }: Renders): Promise<void> {
  const title = vscode.l10n.t('Save Result');
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = entry.record?.spooled ? `render.${entry.record.spooled.extension}` : 'render';
  const uri = await vscode.window.showSaveDialog({ title, defaultUri: folder && vscode.Uri.joinPath(folder, name) });
  if (!uri) return;
  const target: Target = {
    root: vscode.Uri.joinPath(uri, '..').toString(),
    folder: '',
    fileName: uri.path.slice(uri.path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, ''),
  };
  await told(() => downloader.saveAs(entry.id, target));
}

async function told(deliver: () => Promise<unknown>): Promise<void> {
  try {
    await deliver();
  } catch (error) {
    if (error instanceof FileProblem) throw new UserError(problemSentence(error), { cause: error });
    if (error instanceof Undelivered) throw new UserError(problemSentence(error.problem), { cause: error });
    throw error;
  }
}

/** The price was agreed to when it was ordered; what has been spent since may leave no room for it. */
async function sendPlanned(
  entry: LibraryEntry,
  renders: Renders,
  world: ResultWorld,
): Promise<RenderRecord | undefined> {
  await world.connection.start();
  clientFor(entry, renders, world);
  if (entry.record) renders.spend.checkBudgets({ shownCents: entry.shownCents, target: entry.record.target });
  return renders.renderer.send(entry.id);
}

/** The client of the account the render belongs to. Throws UserError, with the next step, when it is not the one in use. */
function clientFor(entry: LibraryEntry, renders: Renders, { session }: ResultWorld): CatalogClient {
  const { client, state } = session;
  if (!client || state.status === 'keyRefused') throw new UserError(vscode.l10n.t('Connect an account first.'));
  if (entry.record && renders.clientOf(entry.record) !== client)
    throw new UserError(problemSentence({ code: 'otherAccount' }));
  return client;
}

/** What the service does on DELETE is not stated, so the question says only what is asked for. */
async function deleteGeneration(entry: LibraryEntry, renders: Renders, world: ResultWorld): Promise<void> {
  const { ledger, library } = renders;
  const client = clientFor(entry, renders, world);
  if (entry.generationId === undefined) throw new UserError(problemSentence({ code: 'gone' }));
  const yes = vscode.l10n.t('Delete at the Service');
  const detail =
    entry.file === undefined
      ? vscode.l10n.t(
          'The service is asked to delete the render. Its result may then be gone for good: it is not saved here. The service does not state a refund for this.',
        )
      : vscode.l10n.t(
          'The service is asked to delete the render. The saved file stays. The service does not state a refund for this.',
        );
  const question = vscode.l10n.t('Delete “{0}” at the service?', plain(titleOf(entry), 80));
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) !== yes) return;
  await client.delete(entry.generationId);
  if (entry.record) ledger.advance(entry.id, () => ({ deleted: true }));
  library.forget(entry.generationId);
}

/** What is said of the list is only said when the list was asked for, of the account the render belongs to. */
async function compare(entry: LibraryEntry, renders: Renders, world: ResultWorld): Promise<void> {
  await world.connection.start();
  clientFor(entry, renders, world);
  const found = await renders.recovery.compare();
  const sentence =
    found > 0
      ? vscode.l10n.t('Unknown renders found on your account: {0}. They are fetched now.', found)
      : vscode.l10n.t(
          'The service’s list holds no render that is certainly one of the unknown ones. Look at your account before you render it again.',
        );
  await vscode.window.showInformationMessage(sentence);
}
