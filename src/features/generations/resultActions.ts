import * as vscode from 'vscode';
import type { Lazy } from '../../base/disposable';
import { formatCents, timeWords } from '../../base/format';
import { toEach } from '../../base/concurrency';
import { plain } from '../../base/plain';
import { type Generation, promptOf } from '../../catalog/fields';
import { type ActionId, type CommandId, commands, formViewType } from '../../editor/ids';
import { initiatorOf } from '../../editor/initiator';
import { UserError } from '../../editor/userError';
import { explainUndelivered } from '../../editor/words';
import { endingOf, imageEndings } from '../../documents/paths';
import { imageAt } from '../../editor/workspaceFiles';
import { imagesOf } from '../../files/givenImages';
import type { Verbs } from '../../foundation';
import type { Initiator } from '../../renders/consent';
import { isFound, type LibraryEntry, seenCentsOf } from '../../renders/library';
import { isThere, maySend, type Problem, type RenderRecord, type Target } from '../../renders/record';
import { clientThat, connectedClient } from '../account/connectedClient';
import { compareEntries, openStaged, replacedBy } from '../compare/compareActions';
import type { CompareWhere } from '../compare/comparePanels';
import type { Documents } from '../links/documents';
import { copyLinks } from '../links/linkInsertions';
import { shownImage, type ShownImage } from '../links/shownImage';
import type { AtHand } from '../models/model/modelGroups';
import type { ModelList } from '../models/model/modelList';
import { pickModel, takingImages } from '../models/modelPicker';
import { requesterWords } from '../rendering/askUser';
import { canDo, isLocal } from '../rendering/model/actions';
import { askAboutService, tellFailures } from '../rendering/renderNotices';
import { actionLabel, titleOf, story } from '../rendering/renderWords';
import type { Renders } from '../rendering/renders';
import { isOfFocusedRow, rowsForKey, type RowSelection } from './focusedRow';
import type { ClickedRow } from './generationsTree';
import { chosenIds } from './model/generationGroups';
import { able, deleteGenerations, forgetGenerations, moveToTrash, type RemovalDeps } from './removal';
import { renderAgain } from './renderAgain';
import { saveAs, saveOriginal } from './saveAs';
import { onceRead } from '../../editor/standing';

/** What actions on renders use. */
export interface ActionDeps extends RemovalDeps {
  readonly renders: Lazy<Renders>;
  readonly documents: Lazy<Documents>;
  readonly list: Pick<ModelList, 'read'>;
  readonly chosenModels: AtHand;
  readonly verbs: Pick<Verbs, 'openForm' | 'openCompare' | 'editImage' | 'whatFits'>;
  readonly view: RowSelection;
}

type Action = (
  entries: readonly LibraryEntry[],
  renders: Renders,
  deps: ActionDeps,
  pointed: LibraryEntry,
  initiator: Initiator,
  item: unknown,
) => unknown;

/** The actions of this feature. */
export type OwnId = Exclude<ActionId, 'howMade'>;

/** The function of each action, for the renders it was called on. */
const actions: Readonly<Record<OwnId, Action>> = {
  openResult: (entries, _renders, _deps, _pointed, _initiator, item) =>
    openAll(entries, {
      viewColumn: vscode.ViewColumn.Active,
      preserveFocus: (item as Partial<ClickedRow> | undefined)?.preserveFocus,
    }),
  openToSide: (entries) => openAll(entries, { viewColumn: vscode.ViewColumn.Beside }),
  revealResult: ofOne(reveal),
  copyPath: (entries) => vscode.env.clipboard.writeText(able(entries, 'copyPath').map(pathOf).join('\n')),
  copyLink,
  copyPrompt: (entries, renders) =>
    vscode.env.clipboard.writeText(
      entries.map((entry) => promptOf(undefined, renders.library.inputsOf(entry))).join('\n\n'),
    ),
  openInForm: ofOne((entry, renders, deps) =>
    deps.verbs.openForm(entry.modelId ?? '', renders.library.inputsOf(entry), { target: owedTo(entry) }),
  ),
  // A new image waits to replace one; what is kept next to that is an image of its own.
  editImage: ofOne((entry, _, { verbs }) =>
    verbs.editImage(vscode.Uri.parse(entry.file ?? '', true), entry.record?.staged ? replacedBy(entry) : undefined),
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
  saveAs: ofOne((entry, renders, deps) => saveAs(entry, renders.results, deps.memory.globalState)),
  saveOriginal: ofOne((entry, { results }) => saveOriginal(entry, results)),
  moveToTrash,
  deleteGeneration: deleteGenerations,
  forgetGeneration: (entries, renders, { memory, forms }) => forgetGenerations(entries, renders, memory, forms.ready),
  sendPlanned: ofOne(sendPlanned),
  discardPlanned: (entries, { orders }) => {
    for (const { id } of able(entries, 'discardPlanned')) orders.discard(id);
  },
  resolve,
  compareWithService: ofOne(compare),
  markNotCharged: marking('markNotCharged'),
  markCharged: marking('markCharged'),
  removeMark: marking('removeMark'),
  reviewStaged: ofOne((entry, _, deps) => openStaged(entry, deps.verbs.openCompare)),
  compareResults: (entries, _renders, { verbs }, _pointed, _initiator, item) =>
    compareEntries(entries, verbs.openCompare, whereIn(item)),
};

/** What does the same for files that the Explorer gives. */
const commandsOfFiles: ReadonlyMap<ActionId, CommandId> = new Map<ActionId, CommandId>([
  ['copyLink', commands.copyFileLink],
  ['copyPrompt', commands.copyFilePrompt],
  ['compareResults', commands.compareFiles],
]);

/**
 * Runs the command's action on the chosen renders, or on files of the Explorer. Rejects with UserError when none is
 * chosen.
 */
export async function act(id: OwnId, item: unknown, items: unknown, deps: ActionDeps): Promise<unknown> {
  // From the Explorer, where any image may be one.
  if (id === 'useAsInput' && item instanceof vscode.Uri) return useAsInput(item, deps);
  if (id === 'editImage' && item instanceof vscode.Uri) return deps.verbs.editImage(item);
  const ofFiles = item instanceof vscode.Uri ? commandsOfFiles.get(id) : undefined;
  if (ofFiles !== undefined) return vscode.commands.executeCommand(ofFiles, item, items);
  const addActive = id === 'addEntry' ? addCommandFor(item) : undefined;
  if (addActive !== undefined) return vscode.commands.executeCommand(addActive, item, items);
  const renders = await deps.renders.get();
  const { library } = renders;
  const entryOf = (key: string) => library.get(key) ?? (isLocal(id) ? library.ofRecord(key) : undefined);
  const ids = isOfFocusedRow(item) ? await rowsForKey(deps.view) : chosenIds(item, items, deps.view.selection);
  const entries = ids.flatMap((key) => entryOf(key) ?? []);
  const [nearest] = entries;
  if (!nearest)
    throw new UserError(
      id === 'addEntry'
        ? vscode.l10n.t('Open an image or a form, or select a render in the Generations view first.')
        : vscode.l10n.t('Select a render in the Generations view first.'),
    );
  const [pointedId] = chosenIds(item, undefined, []);
  const pointed = entries.find(({ id }) => id === pointedId) ?? nearest;
  return actions[id](entries, renders, deps, pointed, initiatorOf(item), item);
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
function marking(mark: Mark): Action {
  return async (entries, renders, _deps, _pointed, initiator) => {
    const marked = able(entries, mark);
    if (marked.length > 0 && (initiator === 'user' || (await agreesToMark(mark, marked))))
      settle(marked, mark, renders);
  };
}

function settle(entries: readonly LibraryEntry[], mark: Mark, { orders }: Renders): void {
  const charged = mark === 'removeMark' ? undefined : mark === 'markCharged';
  for (const { id } of entries) orders.settle(id, charged);
}

/** Does what the user chooses about unconfirmed renders. Their choice there is their word: it isn't asked for again. */
async function resolve(
  entries: readonly LibraryEntry[],
  renders: Renders,
  deps: ActionDeps,
  pointed: LibraryEntry,
  initiator: Initiator,
): Promise<void> {
  const unconfirmed = able(entries, 'resolve');
  const [first] = unconfirmed;
  const way = await askHowToResolve(unconfirmed, initiator);
  if (way === 'compareWithService')
    await compare(canDo('resolve', pointed) ? pointed : (first ?? pointed), renders, deps);
  else if (way !== undefined) {
    // The service may have answered in the meantime.
    const now = unconfirmed.flatMap(({ id }) => renders.library.ofRecord(id) ?? []);
    settle(able(now, way), way, renders);
  }
}

async function openAll(entries: readonly LibraryEntry[], where: vscode.TextDocumentShowOptions): Promise<void> {
  const results = able(entries, 'openResult');
  // A single one opens as a preview; several should all stay visible.
  const preview = results.length > 1 ? false : undefined;
  const failures = await toEach(results, (entry) => open(entry, { ...where, preview }));
  tellFailures(failures, results.length, (failed, all) =>
    vscode.l10n.t('Couldn’t open {0} of {1} results.', failed, all),
  );
}

/** The place that is given with the command; undefined for a row, or none. */
function whereIn(item: unknown): CompareWhere | undefined {
  const { viewColumn, preserveFocus } = (item ?? {}) as Partial<CompareWhere>;
  return typeof viewColumn === 'number' ? { viewColumn, preserveFocus } : undefined;
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
  const images: ShownImage[] = [];
  // Each is read as a whole: one at a time.
  for (const entry of able(entries, 'copyLink')) images.push(await shownImage(await present(entry), renders));
  await copyLinks(images, (await documents.get()).links);
}

/** The command for what is given or active: an image, or a form. Undefined if it's for renders in our views. */
function addCommandFor(item: unknown): 'modelCatalog.addFileEntry' | 'modelCatalog.addFormEntry' | undefined {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  const isForm = input instanceof vscode.TabInputWebview && input.viewType.endsWith(formViewType);
  // The title of a form's tab gives its internal URI.
  if (item instanceof vscode.Uri)
    return item.scheme === 'webview-panel' ? commands.addFormEntry : commands.addFileEntry;
  if (item !== undefined) return undefined;
  if (isForm) return commands.addFormEntry;
  const { uri } = (input ?? {}) as { readonly uri?: vscode.Uri };
  return uri && imageEndings.has(endingOf(uri.path)) ? commands.addFileEntry : undefined;
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
  const seenCents = initiator === 'user' ? seenCentsOf(entry) : undefined;
  return renderAgain(
    { title: titleOf(entry), modelId, inputs, target, initiator, seenCents },
    renders.orders,
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
    vscode.l10n.t('Postponed. You’ll be asked again tomorrow, at tomorrow’s price.'),
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
  if (entry.record) await explainUndelivered(() => renders.results.deliver.downloadAgain(entry.id));
  else if (entry.generation && target) renders.results.deliver.takeUp(entry.generation, target);
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

/**
 * Opens the form of a model that the user chooses, with an image file as an input. Rejects with UserError when the
 * file or the model doesn't fit.
 */
async function useAsInput(file: vscode.Uri, deps: ActionDeps): Promise<void> {
  const { bytes, name } = await imageAt(file);
  await deps.connection.start();
  const model = await pickModel(() => deps.list.read(), deps.chosenModels, false, {
    ...takingImages(deps.session),
    title: vscode.l10n.t('Use as Input'),
    placeholder: vscode.l10n.t('Choose a model for “{0}”', plain(name, 80)),
  });
  if (model) await deps.verbs.openForm(model.id, undefined, { image: imagesOf(deps.memory).keep(bytes, name) });
}

const marks = ['markCharged', 'markNotCharged', 'removeMark'] as const;

/** What the user can say of an unconfirmed render: limits count by it. */
type Mark = (typeof marks)[number];

/** A choice about unconfirmed renders. */
type Way = 'compareWithService' | Mark;

/**
 * Asks what to do about unconfirmed renders, with all that is known of them, which a list would cut off. Commands can
 * open this dialog, but not choose in it. Undefined when the user cancels, or none is given.
 */
async function askHowToResolve(entries: readonly LibraryEntry[], initiator: Initiator): Promise<Way | undefined> {
  const [first] = entries;
  if (!first) return undefined;
  const isOne = entries.length === 1;
  const title = isOne
    ? vscode.l10n.t('Resolve “{0}”', plain(titleOf(first), 60))
    : vscode.l10n.t('Resolve {0} Renders', entries.length);
  const facts = [
    ...(isOne ? [] : titlesOf(entries)),
    factsOf(entries),
    isOne ? story(first) : undefined,
    vscode.l10n.t('Checking with the service sends nothing again.'),
  ];
  const possible = marks.filter((mark) => entries.some((entry) => canDo(mark, entry)));
  return ask(title, facts, ['compareWithService', ...possible], initiator);
}

/** Whether the user says so of unconfirmed renders; somebody else asked for it. */
async function agreesToMark(mark: Mark, entries: readonly LibraryEntry[]): Promise<boolean> {
  const label = actionLabel(mark);
  const question =
    entries.length === 1
      ? vscode.l10n.t('“{0}” for this render?', label)
      : vscode.l10n.t('“{0}” for {1} renders?', label, entries.length);
  return (await ask(question, titlesOf(entries), [mark], undefined)) === mark;
}

async function ask<T extends Way>(
  question: string,
  facts: readonly (string | undefined)[],
  ways: readonly T[],
  initiator: Initiator | undefined,
): Promise<T | undefined> {
  const detail = [
    ...facts,
    initiator === 'user' ? undefined : requesterWords(),
    vscode.l10n.t('A mark changes what your limits count, not what the service charged.'),
  ];
  const options = { modal: true, detail: detail.filter(Boolean).join('\n') };
  const answer = await onceRead(() => vscode.window.showWarningMessage(question, options, ...ways.map(actionLabel)));
  return ways.find((way) => actionLabel(way) === answer);
}

function titlesOf(entries: readonly LibraryEntry[]): string[] {
  const titles = entries.slice(0, 5).map((entry) => plain(titleOf(entry), 80));
  return [...titles, ...(titles.length < entries.length ? ['…'] : [])];
}

/** When they were sent, and at what price. */
function factsOf(entries: readonly LibraryEntry[]): string {
  const times = entries.flatMap(({ startedAt }) => startedAt ?? []);
  const { language } = vscode.env;
  const sent =
    times.length === 0 ? undefined : vscode.l10n.t('Sent: {0}', timeWords(Math.min(...times), Date.now(), language));
  return [sent, vscode.l10n.t('quoted: {0}', quotedOf(entries))].filter(Boolean).join(' · ');
}

function quotedOf(entries: readonly LibraryEntry[]): string {
  if (entries.some(({ shownCents }) => shownCents === undefined)) return vscode.l10n.t('unknown');
  return formatCents(
    entries.reduce((sum, { shownCents = 0 }) => sum + shownCents, 0),
    vscode.env.language,
  );
}
