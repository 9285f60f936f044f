import * as vscode from 'vscode';
import { promptOf } from '../../catalog/fields';
import type { LibraryEntry } from '../../renders/library';
import type { RenderRecord, Target } from '../../renders/record';
import { compareEntries } from '../compare/compareActions';
import { openStaged } from '../compare/stagedResults';
import { copyLinks } from '../documents/copyLinks';
import { shownPicture } from '../documents/shownPicture';
import type { Ability } from '../ids';
import { plain } from '../plain';
import { clientFor } from '../renders/clientFor';
import type { Renders } from '../renders/renders';
import { titleOf } from '../renders/renderWords';
import type { ResultWorld } from '../renders/resultWorld';
import { tellFailures } from '../renders/tellFailures';
import { toEach } from '../several';
import { told } from '../told';
import { UserError } from '../userError';
import { chosenIds } from './chosenRenders';
import { deleteGenerations } from './deleteGenerations';
import { abilitiesOf } from './generationItem';
import { renderAgain } from './renderAgain';
import { showDetails } from './showDetails';

type Action = (
  entries: readonly LibraryEntry[],
  renders: Renders,
  world: ResultWorld,
  pointed: LibraryEntry,
) => unknown;

/** What each ability does to the renders it was asked for. */
const actions: Readonly<Record<Ability, Action>> = {
  openResult: openAll,
  revealResult: ofOne(reveal),
  copyPath: (entries) => vscode.env.clipboard.writeText(able(entries, 'copyPath').map(pathOf).join('\n')),
  copyLink,
  copyPrompt: (entries) =>
    vscode.env.clipboard.writeText(entries.map(({ inputs }) => promptOf(undefined, inputs)).join('\n\n')),
  showDetails: ofOne(showDetails),
  openInForm: ofOne((entry, _, world) => world.openForm(entry.modelId ?? '', entry.inputs, { target: owedTo(entry) })),
  changeAndTryAgain: ofOne((entry, _, world) =>
    world.openForm(entry.modelId ?? '', entry.inputs, { refused: entry.problem?.fields, target: owedTo(entry) }),
  ),
  whatFits: ofOne(fit),
  startTomorrow,
  renderAgain: ofOne(repeat),
  downloadAgain: downloadAll,
  saveAs: ofOne(saveAs),
  deleteGeneration: deleteGenerations,
  sendPlanned: ofOne(sendPlanned),
  discardPlanned: (entries, { renderer }) => {
    for (const { id } of able(entries, 'discardPlanned')) renderer.discard(id);
  },
  compareWithService: ofOne(compare),
  reviewStaged: ofOne((entry, _, world) => openStaged(entry, world.openCompare)),
  compareResults: (entries, _, world) => compareEntries(entries, world),
};

/** Does to the chosen renders what the command says. Rejects with UserError when none is chosen. */
export async function act(ability: Ability, item: unknown, items: unknown, world: ResultWorld): Promise<unknown> {
  const renders = await world.renders.get();
  const entries = chosenIds(item, items, world.selection()).flatMap((id) => renders.library.get(id) ?? []);
  const [nearest] = entries;
  if (!nearest) throw new UserError(vscode.l10n.t('Choose a render in the Generations view first.'));
  const [pointedId] = chosenIds(item, undefined, []);
  return actions[ability](entries, renders, world, entries.find(({ id }) => id === pointedId) ?? nearest);
}

/** For what is done to one render at a time: the one the person pointed at. */
function ofOne(action: (entry: LibraryEntry, renders: Renders, world: ResultWorld) => unknown): Action {
  return (_, renders, world, pointed) => action(pointed, renders, world);
}

function able(entries: readonly LibraryEntry[], ability: Ability): readonly LibraryEntry[] {
  return entries.filter((entry) => abilitiesOf(entry).includes(ability));
}

async function openAll(entries: readonly LibraryEntry[]): Promise<void> {
  const results = able(entries, 'openResult');
  // A single one may make room for the next; several are all meant to be seen.
  const preview = results.length > 1 ? false : undefined;
  const failures = await toEach(results, (entry) => open(entry, preview));
  tellFailures(failures, results.length, (failed, all) =>
    vscode.l10n.t('{0} of {1} results could not be opened.', failed, all),
  );
}

async function open(entry: LibraryEntry, preview: boolean | undefined): Promise<void> {
  if (entry.file !== undefined) {
    await vscode.commands.executeCommand('vscode.open', await present(entry), { preview });
    return;
  }
  const content = entry.textOutput ?? '';
  const document = await vscode.workspace.openTextDocument({ content, language: 'markdown' });
  await vscode.window.showTextDocument(document, { preview });
}

async function reveal(entry: LibraryEntry): Promise<void> {
  const uri = await present(entry);
  const command = vscode.workspace.getWorkspaceFolder(uri) ? 'revealInExplorer' : 'revealFileInOS';
  await vscode.commands.executeCommand(command, uri);
}

function pathOf(entry: LibraryEntry): string {
  const uri = vscode.Uri.parse(entry.file ?? '');
  return uri.scheme === 'file' ? uri.fsPath : uri.toString(true);
}

async function copyLink(entries: readonly LibraryEntry[], renders: Renders): Promise<void> {
  const files = await Promise.all(able(entries, 'copyLink').map(present));
  await copyLinks(await Promise.all(files.map((file) => shownPicture(file, renders))));
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

async function repeat(entry: LibraryEntry, renders: Renders, world: ResultWorld): Promise<RenderRecord | undefined> {
  const { modelId, inputs, record } = entry;
  if (modelId === undefined) return undefined;
  const target =
    record?.target.root === undefined ? renders.targets.default() : await renders.targets.again(record.target);
  return renderAgain({ title: titleOf(entry), modelId, inputs, target }, renders, world);
}

/** Puts what the person chose into its form: there it has its price, and the button that orders it. */
async function fit(entry: LibraryEntry, _: Renders, world: ResultWorld): Promise<void> {
  const chosen = entry.modelId === undefined ? undefined : await world.whatFits(entry.modelId, entry.inputs);
  if (chosen) await world.openForm(chosen.model.id, chosen.inputs, { target: owedTo(entry) });
}

/** Where a result still has to come: undefined while one is on its way, and once one has come. */
function owedTo({ group, state, record }: LibraryEntry): Target | undefined {
  return group === 'active' || state === 'saved' ? undefined : record?.target;
}

async function startTomorrow(entries: readonly LibraryEntry[], { tomorrow }: Renders): Promise<void> {
  await tomorrow.keep(able(entries, 'startTomorrow').flatMap(({ record }) => record ?? []));
  await vscode.window.showInformationMessage(
    vscode.l10n.t('Kept. On the next day you are asked whether to start it, and see what it costs then.'),
  );
}

async function downloadAll(entries: readonly LibraryEntry[], renders: Renders, world: ResultWorld): Promise<void> {
  const results = able(entries, 'downloadAgain');
  await world.connection.ready();
  // Those started elsewhere have no target of their own: asked for once, for all of them.
  const target = results.every(({ record }) => record)
    ? undefined
    : await renders.targets.decide(renders.targets.default());
  const failures = await toEach(results, (entry) => downloadAgain(entry, renders, target));
  tellFailures(failures, results.length, (failed, all) =>
    vscode.l10n.t('{0} of {1} results could not be downloaded.', failed, all),
  );
}

async function downloadAgain(entry: LibraryEntry, renders: Renders, target: Target | undefined): Promise<void> {
  if (entry.record) await told(() => renders.downloader.downloadAgain(entry.id));
  else if (entry.generation && target) renders.downloader.takeUp(entry.generation, target);
}

async function saveAs(entry: LibraryEntry, { downloader }: Renders): Promise<void> {
  const title = vscode.l10n.t('Save Result');
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = entry.record?.spooled ? `render.${entry.record.spooled.extension}` : 'render';
  const uri = await vscode.window.showSaveDialog({ title, defaultUri: folder && vscode.Uri.joinPath(folder, name) });
  if (!uri) return;
  const [, fileName = '', ending = ''] = /([^/]*?)(?:\.([^./]*))?$/.exec(uri.path) ?? [];
  const target: Target = {
    root: vscode.Uri.joinPath(uri, '..').toString(),
    folder: '',
    fileName,
    ending,
  };
  await told(() => downloader.saveAs(entry.id, target));
}

async function sendPlanned(
  entry: LibraryEntry,
  renders: Renders,
  world: ResultWorld,
): Promise<RenderRecord | undefined> {
  await world.connection.ready();
  clientFor(entry, renders, world);
  return entry.record && renders.spend.sendPlanned(entry.record);
}

/** What is said of the list is only said when the list was asked for, of the account the render belongs to. */
async function compare(entry: LibraryEntry, renders: Renders, world: ResultWorld): Promise<void> {
  await world.connection.ready();
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
