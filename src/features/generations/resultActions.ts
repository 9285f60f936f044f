import * as vscode from 'vscode';
import type { Lazy } from '../../base/lazy';
import { formatCents } from '../../base/money';
import { oneLine, plain } from '../../base/plain';
import { toEach } from '../../base/text';
import { promptOf } from '../../catalog/fields';
import type { Session } from '../../catalog/session';
import type { Generation, ModelSummary } from '../../catalog/types';
import { initiatorOf } from '../../editor/initiator';
import { type ActionId, commands, detailsScheme } from '../../editor/ids';
import { UserError } from '../../editor/userError';
import { told } from '../../editor/words';
import { imageSource } from '../../editor/workspaceFiles';
import { imagesOf } from '../../files/givenImages';
import { sniff } from '../../files/sniff';
import type { Verbs } from '../../foundation';
import type { Initiator } from '../../renders/consent';
import { isFound, type LibraryEntry } from '../../renders/library';
import { isThere, maySend } from '../../renders/reach';
import type { Problem, RenderRecord, Target } from '../../renders/record';
import { clientThat, connectedClient } from '../account/connectedClient';
import type { Connection } from '../account/connection';
import { compareEntries } from '../compare/compareActions';
import { openStaged } from '../compare/stagedResults';
import type { Documents } from '../links/documents';
import { copyLinks } from '../links/linkInsertions';
import { shownPicture, type ShownPicture } from '../links/shownPicture';
import type { AtHand } from '../models/model/modelGroups';
import type { ModelList } from '../models/model/modelList';
import { pickModel } from '../models/modelPicker';
import { canDo, isLocal } from '../rendering/model/actions';
import { askAboutService, tellFailures } from '../rendering/renderNotices';
import { actionLabel, shownPriceOf, titleOf } from '../rendering/renderWords';
import type { Memory, Renders } from '../rendering/renders';
import { onceRead } from '../../editor/standing';
import { deleteGenerations, forgetGenerations, type OpenForms } from './deleteGenerations';
import { chosenIds } from './model/generationGroups';
import { renderAgain } from './renderAgain';
import { saveAs, saveOriginal } from './saveAs';

/** What actions on renders use. */
export interface ActionDeps {
  readonly renders: Lazy<Renders>;
  readonly documents: Lazy<Documents>;
  readonly session: Session;
  readonly connection: Connection;
  readonly list: Pick<ModelList, 'read'>;
  readonly chosenModels: AtHand;
  readonly context: Memory;
  readonly verbs: Pick<Verbs, 'openForm' | 'openCompare' | 'whatFits'>;
  /** The window's forms, once there are any. */
  readonly forms: { readonly ready: OpenForms | undefined };
  /** The view, with the IDs of its selected renders. */
  readonly view: { readonly selection: readonly string[] };
}

type Action = (
  entries: readonly LibraryEntry[],
  renders: Renders,
  deps: ActionDeps,
  pointed: LibraryEntry,
  initiator: Initiator,
) => unknown;

/** The function of each action, for the renders it was called on. */
const actions: Readonly<Record<ActionId, Action>> = {
  openResult: (entries) => openAll(entries, vscode.ViewColumn.Active),
  openToSide: (entries) => openAll(entries, vscode.ViewColumn.Beside),
  revealResult: ofOne(reveal),
  copyPath: (entries) => vscode.env.clipboard.writeText(able(entries, 'copyPath').map(pathOf).join('\n')),
  copyLink,
  copyPrompt: (entries, renders) =>
    vscode.env.clipboard.writeText(
      entries.map((entry) => promptOf(undefined, renders.library.inputsOf(entry))).join('\n\n'),
    ),
  showDetails: ofOne(showDetails),
  openInForm: ofOne((entry, renders, deps) =>
    deps.verbs.openForm(entry.modelId ?? '', renders.library.inputsOf(entry), { target: owedTo(entry) }),
  ),
  useAsInput: ofOne((entry, _, deps) => useAsInput(vscode.Uri.parse(entry.file ?? '', true), deps)),
  addEntry: addEntries,
  changeAndTryAgain: ofOne((entry, renders, deps) =>
    deps.verbs.openForm(entry.modelId ?? '', renders.library.inputsOf(entry), {
      refused: entry.problem?.fields,
      target: owedTo(entry),
    }),
  ),
  whatFits: ofOne(fit),
  startTomorrow,
  renderAgain: ofOne(repeat),
  downloadAgain: downloadAll,
  saveAs: ofOne((entry, renders, deps) => saveAs(entry, renders, deps.context.globalState)),
  saveOriginal: ofOne(saveOriginal),
  deleteGeneration: deleteGenerations,
  forgetGeneration: (entries, renders, { context, forms }) => forgetGenerations(entries, renders, context, forms.ready),
  sendPlanned: ofOne(sendPlanned),
  discardPlanned: (entries, { orders }) => {
    for (const { id } of able(entries, 'discardPlanned')) orders.discard(id);
  },
  compareWithService: ofOne(compare),
  markNotCharged: marking('markNotCharged', false),
  markCharged: marking('markCharged', true),
  removeMark: marking('removeMark', undefined),
  reviewStaged: ofOne((entry, _, deps) => openStaged(entry, deps.verbs.openCompare)),
  compareResults: (entries, _, deps) => compareEntries(entries, deps.verbs.openCompare),
};

/** Runs the command's action on the chosen renders. Rejects with UserError when none is chosen. */
export async function act(id: ActionId, item: unknown, items: unknown, deps: ActionDeps): Promise<unknown> {
  // From the Explorer, where any image may be one.
  if (id === 'useAsInput' && item instanceof vscode.Uri) return useAsInput(item, deps);
  const renders = await deps.renders.get();
  const { library } = renders;
  const entryOf = (key: string) => library.get(key) ?? (isLocal(id) ? library.ofRecord(key) : undefined);
  const entries = chosenIds(item, items, deps.view.selection).flatMap((key) => entryOf(key) ?? []);
  const [nearest] = entries;
  if (!nearest) throw new UserError(vscode.l10n.t('Select a render in the Generations view first.'));
  const [pointedId] = chosenIds(item, undefined, []);
  return actions[id](entries, renders, deps, entries.find(({ id }) => id === pointedId) ?? nearest, initiatorOf(item));
}

/** For actions on a single render: the one the user clicked. */
function ofOne(
  action: (entry: LibraryEntry, renders: Renders, deps: ActionDeps, initiator: Initiator) => unknown,
): Action {
  return (_, renders, deps, pointed, initiator) => action(pointed, renders, deps, initiator);
}

/**
 * Records the user's word on unconfirmed renders, or takes it back: limits count by it. Anybody can call a command,
 * so only a click in our own views is that word, or else a yes to our question.
 */
function marking(action: ActionId, charged: boolean | undefined): Action {
  return async (entries, { orders }, _deps, _pointed, initiator) => {
    const marked = able(entries, action);
    if (marked.length === 0 || (initiator !== 'user' && !(await agreesToMark(action, marked)))) return;
    for (const { id } of marked) orders.settle(id, charged);
  };
}

async function agreesToMark(action: ActionId, entries: readonly LibraryEntry[]): Promise<boolean> {
  const yes = actionLabel(action);
  const question =
    entries.length === 1
      ? vscode.l10n.t('“{0}” for this render?', yes)
      : vscode.l10n.t('“{0}” for {1} renders?', yes, entries.length);
  const titles = entries.slice(0, 5).map((entry) => plain(titleOf(entry), 80));
  const detail = [
    ...titles,
    ...(titles.length < entries.length ? ['…'] : []),
    vscode.l10n.t('A menu, a Quick Fix, a keyboard shortcut, another extension, or an agent asks for this.'),
    vscode.l10n.t('Your limits count renders by these marks.'),
  ];
  const ask = () => vscode.window.showWarningMessage(question, { modal: true, detail: detail.join('\n') }, yes);
  return (await onceRead(ask)) === yes;
}

function able(entries: readonly LibraryEntry[], action: ActionId): readonly LibraryEntry[] {
  return entries.filter((entry) => canDo(action, entry));
}

async function openAll(entries: readonly LibraryEntry[], viewColumn: vscode.ViewColumn): Promise<void> {
  const results = able(entries, 'openResult');
  // A single one opens as a preview; several should all stay visible.
  const preview = results.length > 1 ? false : undefined;
  const failures = await toEach(results, (entry) => open(entry, { preview, viewColumn }));
  tellFailures(failures, results.length, (failed, all) =>
    vscode.l10n.t('Couldn’t open {0} of {1} results.', failed, all),
  );
}

async function open(entry: LibraryEntry, options: vscode.TextDocumentShowOptions): Promise<void> {
  if (entry.file !== undefined) {
    await vscode.commands.executeCommand('vscode.open', await present(entry), options);
    return;
  }
  const content = entry.textOutput ?? '';
  const document = await vscode.workspace.openTextDocument({ content, language: 'markdown' });
  await vscode.window.showTextDocument(document, options);
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

async function copyLink(entries: readonly LibraryEntry[], renders: Renders, { documents }: ActionDeps): Promise<void> {
  const pictures: ShownPicture[] = [];
  // Each is read as a whole: one at a time.
  for (const entry of able(entries, 'copyLink')) pictures.push(await shownPicture(await present(entry), renders));
  await copyLinks(pictures, (await documents.get()).links);
}

async function addEntries(entries: readonly LibraryEntry[]): Promise<void> {
  const files = await Promise.all(able(entries, 'addEntry').map(present));
  await vscode.commands.executeCommand(commands.addFileEntry, files[0], files);
}

/** The saved file; rejects with the next step when it no longer exists. */
async function present(entry: LibraryEntry): Promise<vscode.Uri> {
  const uri = vscode.Uri.parse(entry.file ?? '');
  try {
    await vscode.workspace.fs.stat(uri);
    return uri;
  } catch {
    // Moved, renamed, or deleted since: the service may still have it.
    throw new UserError(
      vscode.l10n.t(
        '{0} no longer exists. “Download Again” gets it from the service, if it’s still there.',
        plain(vscode.workspace.asRelativePath(uri)),
      ),
    );
  }
}

async function repeat(
  entry: LibraryEntry,
  renders: Renders,
  deps: ActionDeps,
  initiator: Initiator,
): Promise<RenderRecord | undefined> {
  const { modelId, record } = entry;
  if (modelId === undefined) return undefined;
  const inputs = renders.library.inputsOf(entry);
  const target =
    record?.target.root === undefined ? renders.targets.default() : await renders.targets.again(record.target);
  const seenCents = initiator === 'user' ? shownPriceOf(entry) : undefined;
  return renderAgain(
    { title: titleOf(entry), modelId, inputs, target, initiator, seenCents },
    renders,
    deps.connection,
  );
}

/** Opens the user's choice in its form, with its price and the button to order it. */
async function fit(entry: LibraryEntry, renders: Renders, deps: ActionDeps): Promise<void> {
  const chosen =
    entry.modelId === undefined ? undefined : await deps.verbs.whatFits(entry.modelId, renders.library.inputsOf(entry));
  if (chosen) await deps.verbs.openForm(chosen.model.id, chosen.inputs, { target: owedTo(entry) });
}

/** The target that still lacks a result: undefined while one is in progress or exists. */
function owedTo({ group, state, record }: LibraryEntry): Target | undefined {
  return group === 'active' || state === 'saved' ? undefined : record?.target;
}

async function startTomorrow(entries: readonly LibraryEntry[], { tomorrow }: Renders): Promise<void> {
  await tomorrow.keep(able(entries, 'startTomorrow').flatMap(({ record }) => record ?? []));
  await vscode.window.showInformationMessage(
    vscode.l10n.t('Postponed. Tomorrow you’ll be asked whether to render it, at that day’s price.'),
  );
}

async function downloadAll(entries: readonly LibraryEntry[], renders: Renders, deps: ActionDeps): Promise<void> {
  const results = able(entries, 'downloadAgain');
  await deps.connection.ready();
  // Renders started elsewhere have no target: ask once for all of them.
  const target = results.every(({ record }) => record)
    ? undefined
    : await renders.targets.decide(renders.targets.default());
  const failures = await toEach(results, (entry) => downloadAgain(entry, renders, target));
  tellFailures(failures, results.length, (failed, all) =>
    vscode.l10n.t('Couldn’t download {0} of {1} results.', failed, all),
  );
}

async function downloadAgain(entry: LibraryEntry, renders: Renders, target: Target | undefined): Promise<void> {
  if (entry.record) await told(() => renders.deliver.downloadAgain(entry.id));
  else if (entry.generation && target) renders.deliver.takeUp(entry.generation, target);
}

async function sendPlanned(
  entry: LibraryEntry,
  renders: Renders,
  deps: ActionDeps,
  initiator: Initiator,
): Promise<RenderRecord | undefined> {
  await deps.connection.ready();
  clientThat(maySend, entry, renders, deps.session);
  const sent = entry.record && (await renders.orders.sendPlanned(entry.record, initiator));
  if (sent?.state !== 'planned' || !isFound(sent)) return sent;
  const choice = await askWhich(sent, renders, deps, actionLabel('sendPlanned'));
  return choice === 'other' ? renders.orders.sendPlanned(sent, initiator, sent.problem?.detail) : undefined;
}

/** Codes of problems with the ID of a render that an unconfirmed one could be. */
const withId: ReadonlySet<Problem['code'] | undefined> = new Set(['oneFound', 'contradicted']);

/**
 * Asks whether the render that the service lists is this one; if it is, it's followed and delivered. `other` is the
 * button for the case that it isn't; resolves with what was selected.
 */
async function askWhich(
  { key, generationId, problem, shownCents }: RenderRecord,
  renders: Renders,
  { session }: ActionDeps,
  other?: string,
): Promise<'used' | 'other' | undefined> {
  const ids = problem?.code === 'otherAccount' ? [generationId ?? ''] : (problem?.detail ?? '').split(', ');
  const [id = ''] = ids;
  const use = vscode.l10n.t('Use Listed Render');
  const one = ids.length === 1 ? (await connectedClient(session).generation(id)).value : undefined;
  const selected = await vscode.window.showWarningMessage(
    vscode.l10n.t('The service lists a render that this could be: {0}.', plain(ids.join(', '))),
    { modal: true, detail: one && listedWords(one, shownCents) },
    ...[...(one ? [use] : []), ...(other === undefined ? [] : [other])],
  );
  if (selected === undefined) return undefined;
  if (selected === other) return 'other';
  if (await renders.useListed(key, id)) return 'used';
  throw new UserError(vscode.l10n.t('Another render in your history already has the ID {0}.', plain(id)));
}

/** What the service states of a render, next to the quoted price, euro cents. */
function listedWords({ modelId, inputs = {}, createdAt, costCents }: Generation, shownCents?: number): string {
  const money = (cents: number | undefined) =>
    cents === undefined ? vscode.l10n.t('unknown') : formatCents(cents, vscode.env.language);
  return [
    modelId === undefined ? '' : vscode.l10n.t('Model: {0}', plain(modelId)),
    promptOf(undefined, inputs) === '' ? '' : vscode.l10n.t('Prompt: {0}', plain(promptOf(undefined, inputs), 200)),
    createdAt === undefined
      ? ''
      : vscode.l10n.t('Created: {0}', new Date(createdAt).toLocaleString(vscode.env.language)),
    vscode.l10n.t('Charged: {0}. Quoted price: {1}.', money(costCents), money(shownCents)),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** A statement about the list requires that it was read, from the service of the render. */
async function compare(entry: LibraryEntry, renders: Renders, deps: ActionDeps): Promise<void> {
  await deps.connection.ready();
  if (entry.awayAt !== undefined && entry.generationId !== undefined)
    return findHere(entry, entry.awayAt, renders, deps);
  clientThat(isThere, entry, renders, deps.session);
  const found = await renders.compareUnknown();
  const record = renders.library.ofRecord(entry.id)?.record;
  const isReadElsewhere = record?.problem?.code === 'otherAccount' && record.generationId !== undefined;
  if (record?.state === 'unknown' && (withId.has(record.problem?.code) || isReadElsewhere)) {
    await askWhich(record, renders, deps);
    return;
  }
  const sentence =
    found > 0
      ? vscode.l10n.t('Unconfirmed renders found in your account: {0}. Downloading them now.', found)
      : vscode.l10n.t('No certain match in the service’s list. Check your account before you render it again.');
  await vscode.window.showInformationMessage(sentence);
}

/** Looks for a render that was ordered at another URL at the service in use, which may be the same one. */
async function findHere({ id }: LibraryEntry, awayAt: string, { library }: Renders, deps: ActionDeps): Promise<void> {
  connectedClient(deps.session);
  const found = await library.findHere(id);
  if (found === 'possible') return askAboutService({ place: awayAt, renders: 1, isCertain: false }, library);
  const sentence =
    found === 'certain'
      ? vscode.l10n.t('Found at the service’s new URL. Its result is downloaded once it’s there.')
      : vscode.l10n.t('This service doesn’t have the render. It was started at {0}.', plain(awayAt));
  await vscode.window.showInformationMessage(sentence);
}

/** Opens the document with a render's details. */
async function showDetails(entry: LibraryEntry): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(addressOf(entry)));
}

/** The render's key is the query; the path is the tab's title. */
function addressOf(entry: LibraryEntry): vscode.Uri {
  const title = oneLine(titleOf(entry), 40).replaceAll(/[/\\]/g, ' ');
  const path = `/${vscode.l10n.t('{0} (details)', title)}`;
  return vscode.Uri.from({ scheme: detailsScheme, path, query: entry.id });
}

/** Beyond this, reading the fields of every model would be too much to ask of a service. */
const mostRead = 40;

/**
 * Opens the form of a model that the user chooses, with an image file as an input. Rejects with UserError when the
 * file or the model doesn't fit.
 */
async function useAsInput(file: vscode.Uri, deps: ActionDeps): Promise<void> {
  const source = await imageSource(file);
  const bytes = source.isFolder ? undefined : await source.read();
  if (!bytes || !sniff(bytes).mediaType.startsWith('image/'))
    throw new UserError(vscode.l10n.t('“{0}” isn’t an image.', source.file));
  await deps.connection.start();
  const shown = async () => {
    const models = await deps.list.read();
    return { ...models, listing: { ...models.listing, items: await takingImages(models.listing.items, deps) } };
  };
  const model = await pickModel(shown, deps.chosenModels);
  if (!model) return;
  if (!(await takesImage(model, deps)))
    throw new UserError(vscode.l10n.t('“{0}” takes no images. Choose another model.', model.title));
  const image = imagesOf(deps.context).keep(bytes, source.file);
  await deps.verbs.openForm(model.id, undefined, { image });
}

/** Of a short list those that take an image; a long one stays whole, and so does one without such a model. */
async function takingImages(models: readonly ModelSummary[], deps: ActionDeps): Promise<readonly ModelSummary[]> {
  if (models.length > mostRead) return models;
  const takes = await Promise.all(models.map((model) => takesImage(model, deps).catch(() => true)));
  const taking = models.filter((_, index) => takes[index]);
  return taking.length > 0 ? taking : models;
}

async function takesImage({ id }: ModelSummary, { session }: ActionDeps): Promise<boolean> {
  return (await session.model(id)).fields.some(({ kind }) => kind === 'image');
}
