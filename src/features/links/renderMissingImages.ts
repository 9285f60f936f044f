import * as vscode from 'vscode';
import { frozenInputs } from '../../base/frozen';
import { plain } from '../../base/plain';
import { systemRandom } from '../../base/random';
import type { CatalogClient } from '../../catalog/client';
import { Seeds } from '../../catalog/fields';
import type { Session } from '../../catalog/session';
import type { Model } from '../../catalog/types';
import { askStyle } from '../../compose/askStyle';
import type { StyleShelf } from '../../compose/projectStyles';
import { asPrompt } from '../../compose/writing';
import { isNotebook, syntaxOf } from '../../documents/syntax';
import { inputStep } from '../../editor/boxes';
import { isRenamed } from '../../editor/isRenamed';
import type { Settings } from '../../editor/settings';
import { targetFile } from '../../editor/workspaceFiles';
import { requireTrust } from '../../editor/trust';
import { UserError } from '../../editor/userError';
import { money } from '../../editor/words';
import { fileNameOf } from '../../files/names';
import type { Foundation } from '../../foundation';
import { covered, type NamedBudget, type SharedBudget } from '../../renders/budget';
import type { QuestionWords } from '../../renders/consent';
import type { LibraryEntry } from '../../renders/library';
import type { PricedOrder } from '../../renders/priced';
import type { Target } from '../../renders/record';
import { connectedClient } from '../account/connectedClient';
import type { Drafts } from '../models/model/drafts';
import { firstModel, knownModel } from '../models/model/lastModel';
import { pickModel } from '../models/modelPicker';
import { limitSettings } from '../../editor/openLimit';
import { isAgreed, renderTogether } from '../rendering/renderTogether';
import { shortSentence } from '../rendering/renderWords';
import type { Renders } from '../rendering/renders';
import { StillWanted } from '../rendering/stillWanted';
import { tellPending } from '../rendering/renderNotices';
import type { Documents } from './documents';
import { linkFit } from './linkFit';
import { showMissingList } from './missingListBox';
import { type FoundMissing, targetProblemOf, searchMissing } from './missingSearch';
import { type AgreedImage, MissingList } from './model/missingList';

/**
 * Lists the missing images of a document or below a folder (a URI), else of the active document, else of the workspace;
 * and renders the selected ones after the person confirmed the total. Resolves when they exist or the person canceled.
 * Rejects with UserError or ServiceError when they can't be found or ordered, and in Restricted Mode.
 */
export async function renderMissingImages(
  where: unknown,
  foundation: Foundation,
  documents: Documents,
  styles: StyleShelf,
): Promise<void> {
  requireTrust();
  const scope = where instanceof vscode.Uri ? where : activeDocument();
  const render = (below: vscode.Uri | undefined) => renderIn(below, foundation, documents, styles);
  if ((await render(scope)) === 'everywhere') await render(undefined);
}

async function renderIn(
  scope: vscode.Uri | undefined,
  foundation: Foundation,
  documents: Documents,
  styles: StyleShelf,
): Promise<'everywhere' | undefined> {
  const { session, connection, settings } = foundation;
  const renders = await foundation.renders.get();
  const still = new StillWanted(renders);
  const found = await search(scope, documents, renders);
  if (!found) return undefined;
  if (found.images.length === 0) return tellNone(scope, found, renders);
  await connection.start();
  const client = connectedClient(session);
  const quotes = await foundation.quotes.get();
  const list = new MissingList(
    found.images,
    async (modelId, inputs, signal) => {
      const { quote } = await quotes.of(connectedClient(session), modelId, inputs, { signal });
      return quote.costCents;
    },
    new Seeds(systemRandom),
    styles,
  );
  try {
    const model = await imageModel(session, documents.lastModel.read());
    if (model) list.use(model, documents.drafts.rendered(model.id));
    const world = { session, settings, documents, renders };
    for (;;) {
      const chosen = await selected(list, found, scope !== undefined, foundation, documents.drafts);
      if (chosen === undefined || chosen === 'everywhere') return chosen;
      const agreed = await agreedOf(chosen, client, world);
      if (agreed) return await renderMissing(agreed, chosen, still, world);
    }
  } finally {
    list.dispose();
  }
}

/** The active document or notebook, if it can show images and is in an open folder. */
function activeDocument(): vscode.Uri | undefined {
  const { activeNotebookEditor, activeTextEditor } = vscode.window;
  const notebook = activeNotebookEditor?.notebook.uri;
  if (notebook && isNotebook(notebook.path)) return vscode.workspace.getWorkspaceFolder(notebook) && notebook;
  const document = activeTextEditor?.document;
  const isOurs =
    document && vscode.workspace.getWorkspaceFolder(document.uri) && syntaxOf(document.languageId, document.uri.path);
  return isOurs ? document.uri : undefined;
}

/** Undefined when canceled. */
async function search(
  scope: vscode.Uri | undefined,
  { links }: Documents,
  renders: Renders,
): Promise<FoundMissing | undefined> {
  const isOpen = vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === scope?.toString());
  if (isOpen) return searchMissing(scope, links, renders);
  if (!vscode.workspace.workspaceFolders) throw new UserError(vscode.l10n.t('Open a folder first.'));
  const title = vscode.l10n.t('Searching for missing images…');
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return vscode.window.withProgress(options, (_, token) => searchMissing(scope, links, renders, token));
}

/** `everywhere` when the person wants to search further. */
async function tellNone(
  scope: vscode.Uri | undefined,
  { documents, pending, isCut }: FoundMissing,
  renders: Renders,
): Promise<'everywhere' | undefined> {
  if (pending.size > 0) {
    const images = [...pending].map(([id, name]) => ({ id, name }));
    await tellPending(images, renders);
    return undefined;
  }
  const place = scope && plain(vscode.workspace.asRelativePath(scope));
  const sentence = isCut
    ? vscode.l10n.t(
        'No missing images in the first {0} documents, where the search stopped. To search others, select a folder in the Explorer.',
        documents,
      )
    : place === undefined
      ? vscode.l10n.t('No missing images in the workspace.')
      : vscode.l10n.t('No missing images in {0}.', place);
  const further = vscode.l10n.t('Search Workspace');
  const answer = await vscode.window.showInformationMessage(sentence, ...(scope ? [further] : []));
  return answer === further ? 'everywhere' : undefined;
}

/** Shows the list until something is to be ordered. Undefined when the person dismisses it. */
async function selected(
  list: MissingList,
  found: FoundMissing,
  isPart: boolean,
  foundation: Foundation,
  drafts: Drafts,
): Promise<readonly AgreedImage[] | 'everywhere' | undefined> {
  const note = found.isCut
    ? vscode.l10n.t(
        'search stopped after {0} documents; to search others, select a folder in the Explorer',
        found.documents,
      )
    : undefined;
  for (;;) {
    const step = await showMissingList(list, note, isPart, foundation.settings);
    if (step?.to === 'order') return list.agreed;
    if (step?.to === 'model') await chooseModel(list, foundation, drafts);
    else if (step?.to === 'style') await chooseStyle(list);
    else if (step?.to === 'prompt') await changePrompt(list, step.file);
    else if (step?.to === 'place') await choosePlace(list, step.file, await foundation.renders.get());
    else return step?.to;
  }
}

/**
 * The default image model: the last one if it makes images. Undefined when none is known to. Rejects with ServiceError.
 */
async function imageModel(session: Session, last: string | undefined): Promise<Model | undefined> {
  const model = last === undefined ? undefined : await knownModel(session.model(last));
  if (model?.kind === 'image') return model;
  const first = await firstModel(session, 'image', asPrompt, '');
  return first?.kind === 'image' ? first : undefined;
}

async function chooseModel(
  list: MissingList,
  { session, renders, shelf, list: models }: Foundation,
  drafts: Drafts,
): Promise<void> {
  const picked = await pickModel(() => models.read(), shelf, true);
  if (!picked) return;
  const model = await session.model(picked.id);
  const kind = await (await renders.get()).makes(model.id);
  if (kind === 'image') list.use(model, drafts.rendered(model.id));
  else if (kind !== undefined)
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} doesn’t make images.', plain(model.title)));
}

async function chooseStyle(list: MissingList): Promise<void> {
  const chosen = await askStyle(list.styles, list.style?.id);
  if (chosen) list.chooseStyle(chosen.id);
}

/** Asks for the folder of an image whose link doesn't tell. */
async function choosePlace(list: MissingList, file: string, { targets }: Pick<Renders, 'targets'>): Promise<void> {
  const guess = vscode.Uri.parse(file, true);
  const name = fileNameOf(file);
  const [folder] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: vscode.workspace.getWorkspaceFolder(guess)?.uri,
      title: vscode.l10n.t('Folder for {0}', plain(name)),
      openLabel: vscode.l10n.t('Choose Folder'),
    })) ?? [];
  if (!folder) return;
  const placed = vscode.Uri.joinPath(folder, name);
  list.place(file, { file: placed.toString(), problem: targetProblemOf(placed, targets) });
}

async function changePrompt(list: MissingList, file: string): Promise<void> {
  const row = list.rows.find(({ image }) => image.file === file);
  const name = plain(vscode.workspace.asRelativePath(vscode.Uri.parse(file, true)));
  const answer = await inputStep({
    title: vscode.l10n.t('Prompt for {0}', name),
    back: true,
    prompt: vscode.l10n.t('Describe the image.'),
    value: row?.prompt,
    check: () => undefined,
  });
  if (typeof answer === 'object') list.say(file, answer.text);
}

/** The dependencies of ordering missing images. */
export interface OrderWorld {
  readonly documents: Documents;
  readonly renders: Renders;
  readonly session: Session;
  readonly settings: Pick<Settings, 'notifications' | 'fitToLinks'>;
}

/** An order with a stated price. */
type PricedImage = PricedOrder & { readonly shownCents: number };

/** The money that pays for it: one of the person's limits, or the balance. */
interface Cover extends SharedBudget {
  readonly budget?: NamedBudget;
}

/**
 * Asks for one confirmation of the total: for as many as balance and limits cover. Undefined when the person declined,
 * or was told why not even the first is covered.
 */
async function agreedOf(
  chosen: readonly AgreedImage[],
  client: CatalogClient,
  world: OrderWorld,
): Promise<readonly PricedImage[] | undefined> {
  const { renders, session } = world;
  await session.refreshBalance();
  const orders = chosen.map((image) => orderOf(image, client, world));
  const { count, over } = covered(
    orders.map(({ shownCents, target }) => ({ cents: shownCents, limits: coversOf(target, world) })),
  );
  const affordable = orders.slice(0, count);
  const cover = over && coverSentence(over, count, orders.length);
  const words = wordsOf(affordable, chosen[0]?.model, cover);
  const ask = async () => {
    if (affordable.length === 0) refuse(orders[0], over, renders);
    return renders.orders.agreesTo(affordable, words);
  };
  return (await isAgreed(ask)) ? affordable : undefined;
}

/**
 * Orders those still wanted. Resolves when they have ended, or on a cancel, which doesn't stop those already sent.
 */
async function renderMissing(
  agreed: readonly PricedImage[],
  chosen: readonly AgreedImage[],
  still: StillWanted,
  world: OrderWorld,
): Promise<undefined> {
  const { documents } = world;
  const [first] = agreed;
  if (!first) return;
  await documents.lastModel.keep(first.modelId);
  const entries = await run(agreed, still, world);
  void documents.renamed?.ask(entries, documentsOf(entries.filter(isRenamed), chosen));
}

/** The documents that name the files of these renders: no others are opened. */
function documentsOf(entries: readonly LibraryEntry[], chosen: readonly AgreedImage[]): string[] {
  const files = new Set(entries.map(({ record }) => record && targetFile(record.target)?.toString()));
  const named = chosen.filter(({ image }) => files.has(image.file));
  return [...new Set(named.flatMap(({ image }) => image.documents))];
}

function orderOf(
  { image, model, inputs, cents }: AgreedImage,
  client: CatalogClient,
  { renders, settings }: OrderWorld,
): PricedImage {
  const file = vscode.Uri.parse(image.file, true);
  const target = { ...renders.targets.file(file), fit: linkFit(file, image.size, settings) };
  const { account } = client;
  const order = { intent: systemRandom.uuid(), modelId: model.id, inputs: frozenInputs(inputs), target };
  return { ...order, shownCents: cents, account, asked: { client } };
}

function coversOf(target: Target, { renders, session }: OrderWorld): Cover[] {
  const limits = renders.orders.limitsOf(target).map((budget) => ({ ...budget, budget }));
  return [{ id: 'balance', limit: session.state.balance?.cents, committed: 0 }, ...limits];
}

/** Throws UserError: not even the first is covered. */
function refuse(order: PricedImage | undefined, over: Cover | undefined, { orders }: Renders): void {
  if (!order || !over) return;
  if (over.budget) orders.checkLimits([order]);
  throw new UserError(shortSentence(over.limit ?? 0, order.shownCents));
}

function wordsOf(orders: readonly PricedImage[], model: Model | undefined, cover: string | undefined): QuestionWords {
  const sum = sumOf(orders);
  const name = plain(model?.title ?? '', 80);
  const question =
    orders.length === 1
      ? vscode.l10n.t('Render with {0} for {1}?', name, money(sum))
      : vscode.l10n.t('Render {0} images with {1} for {2} in total?', orders.length, name, money(sum));
  return { question, detail: cover };
}

/** Why not all of them are ordered. */
function coverSentence({ limit = 0, budget }: Cover, count: number, all: number): string {
  return budget
    ? vscode.l10n.t(
        'Not all selected images: {2} of the {0} limit set in modelCatalog.{1} is used. The rest covers the first {3} of {4}.',
        money(limit),
        limitSettings[budget.name],
        money(budget.committed),
        count,
        all,
      )
    : vscode.l10n.t(
        'Not all selected images: your balance of {0} covers the first {1} of {2}.',
        money(limit),
        count,
        all,
      );
}

/** Renders them. One question about changed links for all of them, instead of one each. */
async function run(
  orders: readonly PricedImage[],
  still: StillWanted,
  { renders, documents, settings }: OrderWorld,
): Promise<readonly LibraryEntry[]> {
  const held = documents.renamed?.hold(orders.map(({ intent }) => intent));
  const title = vscode.l10n.t('Rendering missing images');
  try {
    return await renderTogether(orders, renders, settings, { title, compared: false }, still);
  } finally {
    held?.dispose();
  }
}

function sumOf(orders: readonly PricedImage[]): number {
  return orders.reduce((cents, { shownCents }) => cents + shownCents, 0);
}
