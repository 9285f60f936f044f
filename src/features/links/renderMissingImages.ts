import * as vscode from 'vscode';
import { frozenInputs } from '../../base/json';
import { escapeForIcons, plain } from '../../base/plain';
import { systemRandom } from '../../base/clock';
import type { CatalogClient } from '../../catalog/client';
import { type Model, promptOf, Seeds } from '../../catalog/fields';
import type { Session } from '../../catalog/session';
import { askStyle, notTakenWords } from '../../compose/askStyle';
import {
  askPrompt,
  type BoxButton,
  type BoxRow,
  editButton,
  type PricedView,
  priceWords,
  showPriced,
  sumWords,
} from '../../compose/pricedBox';
import type { StyleSource } from '../../compose/projectStyles';
import { asPrompt } from '../../compose/writing';
import { isNotebook, syntaxOf } from '../../documents/syntax';
import { separator } from '../../editor/boxes';
import type { Settings } from '../../editor/settings';
import { isRenamed, targetFile } from '../../editor/workspaceFiles';
import { requireTrust } from '../../editor/trust';
import { UserError } from '../../editor/userError';
import { fitWords, money, sentenceOf } from '../../editor/words';
import { fileNameOf } from '../../files/names';
import type { Foundation } from '../../foundation';
import { covered, type NamedBudget, type SharedBudget } from '../../renders/budget';
import type { Orders } from '../../renders/orders';
import type { QuestionWords } from '../../renders/consent';
import type { LibraryEntry } from '../../renders/library';
import type { PricedOrder, Target } from '../../renders/record';
import { connectedClient } from '../account/connectedClient';
import type { Drafts } from '../models/model/drafts';
import { firstModel, knownModel } from '../models/model/lastModel';
import { pickModel } from '../models/modelPicker';
import { limitSetting } from '../../editor/openLimit';
import { agreedOn, isAgreed, renderTogether } from '../rendering/renderTogether';
import { shortSentence } from '../rendering/renderWords';
import type { Renders } from '../rendering/renders';
import { StillWanted } from '../rendering/stillWanted';
import { tellPending } from '../rendering/renderNotices';
import type { Documents } from './documents';
import { linkFit } from './linkFit';
import { missingAtCursor } from './missingImages';
import { type FoundMissing, targetProblemOf, searchMissing } from './missingSearch';
import { MissingList, type MissingRow } from './model/missingList';

/**
 * Lists the missing images of a document or below a folder (a URI), else of the active document, else of the workspace;
 * and renders the selected ones after the user confirmed the total. At first, that's only the one at the cursor, if
 * there is one and `where` isn't given. Resolves when they exist or the user canceled.
 * Rejects with UserError or ServiceError when they can't be found or ordered, and in Restricted Mode.
 */
export async function renderMissingImages(
  where: unknown,
  foundation: Foundation,
  documents: Documents,
  styles: StyleSource,
): Promise<void> {
  requireTrust();
  const scope = where instanceof vscode.Uri ? where : activeDocument();
  const wanted = where === undefined ? await missingAtCursor(documents.links) : undefined;
  const render = (below: vscode.Uri | undefined) => renderIn(below, wanted, foundation, documents, styles);
  if ((await render(scope)) === 'everywhere') await render(undefined);
}

async function renderIn(
  scope: vscode.Uri | undefined,
  wanted: string | undefined,
  foundation: Foundation,
  documents: Documents,
  styles: StyleSource,
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
    wanted,
  );
  try {
    const model = await imageModel(session, documents.lastModel.read());
    if (model) list.use(model, documents.drafts.rendered(model.id));
    const deps = { session, settings, documents, renders };
    const left = await agreedOn(
      list,
      () => selected(list, found, scope !== undefined, foundation, documents.drafts),
      (instead) => agreedOf(list, client, deps, instead),
      renders.orders,
    );
    return left === undefined || left === 'everywhere' ? left : await renderMissing(left, list, still, deps);
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

/** `everywhere` when the user wants to search further. */
async function tellNone(
  scope: vscode.Uri | undefined,
  { documents, pending, isCut }: FoundMissing,
  renders: Renders,
): Promise<'everywhere' | undefined> {
  if (pending.size > 0) {
    const images = [...pending].map(([id, name]) => ({ id, name }));
    await tellPending(images, renders.library);
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

/** Shows the list until something is to be ordered. Undefined when the user dismisses it. */
async function selected(
  list: MissingList,
  found: FoundMissing,
  isPart: boolean,
  foundation: Foundation,
  drafts: Drafts,
): Promise<'order' | 'everywhere' | undefined> {
  const note = found.isCut
    ? vscode.l10n.t(
        'search stopped after {0} documents; to search others, select a folder in the Explorer',
        found.documents,
      )
    : undefined;
  for (;;) {
    const step = await showMissingList(list, note, isPart, foundation.settings);
    if (step === undefined || step === 'order') return step;
    if (step.to === 'model') await chooseModel(list, foundation, drafts);
    else if (step.to === 'style') await chooseStyle(list);
    else if (step.to === 'prompt') await changePrompt(list, step.id);
    else if (step.to === 'place') await choosePlace(list, step.id, await foundation.renders.get());
    else return step.to;
  }
}

/** The next step after the list. */
type ListStep =
  | { readonly to: 'model' | 'style' | 'everywhere' }
  /** `id`: of the row. */
  | { readonly to: 'prompt' | 'place'; readonly id: string };

/** Shows the list until a step is chosen; undefined when the user dismisses it. `note` says what it leaves out. */
function showMissingList(
  list: MissingList,
  note: string | undefined,
  everywhere: boolean,
  settings: Settings,
): Promise<ListStep | 'order' | undefined> {
  const view: PricedView<ListStep> = {
    look: { matchOnDetail: true, ignoreFocusOut: true },
    title: () => titleOf(list),
    placeholder: () => notTakenWords(list.style) ?? vscode.l10n.t('You’ll confirm the total before anything is sent.'),
    rows: () => rowsOf(list, note, settings),
    buttons: () => [
      button('library', vscode.l10n.t('Choose a Model'), { to: 'model' }),
      ...(list.styles.length > 0 ? [button('paintcan', vscode.l10n.t('Choose a Project Style'), { to: 'style' })] : []),
      ...(everywhere ? [button('root-folder', vscode.l10n.t('Search Entire Workspace'), { to: 'everywhere' })] : []),
    ],
    accept: async () => {
      if (!list.model) return { to: 'model' };
      // Outdated prices are requested again, so that the total is current when it's confirmed.
      await list.renew();
      return 'order';
    },
  };
  return showPriced(list, view);
}

function button(icon: string, tooltip: string, step: ListStep): BoxButton<ListStep> {
  return { iconPath: new vscode.ThemeIcon(icon), tooltip, press: () => step };
}

function titleOf(list: MissingList): string {
  const { model, rows, ticked } = list;
  if (!model) return vscode.l10n.t('Render Missing Images');
  return vscode.l10n.t(
    'Render Missing Images with {0} · {1} of {2} · {3}',
    escapeForIcons([model.title, list.style?.label].filter(Boolean).join(' · '), 100),
    ticked.length,
    rows.length,
    sumWords(list),
  );
}

function rowsOf(list: MissingList, note: string | undefined, settings: Settings): BoxRow<ListStep>[] {
  const rows = list.rows.map((row) => rowOf(row, list, settings));
  const doubtful = list.rows.findIndex(({ item }) => item.image.doubt);
  if (doubtful >= 0) rows.splice(doubtful, 0, separator(vscode.l10n.t('may not be missing')));
  return note === undefined ? rows : [separator(note), ...rows];
}

function rowOf(row: MissingRow, list: MissingList, settings: Settings): BoxRow<ListStep> {
  const { id, image, shape, wants } = row.item;
  const file = vscode.Uri.parse(image.file, true);
  const fit = image.size && fitWords(linkFit(file, image.size, settings));
  const link = { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: vscode.l10n.t('Go to Link') };
  const show = () => void showLink(row);
  const edit = editButton((): ListStep => ({ to: 'prompt', id }));
  return {
    id,
    label: escapeForIcons(vscode.workspace.asRelativePath(file)),
    description: escapeForIcons([doubtWords(image), priceWords(row), shape, fit].filter(Boolean).join(' · ')),
    detail: escapeForIcons(detailOf(row, list), 300),
    // A row that's drawn again gives the focus back, so that Enter accepts the list after a click on a checkbox.
    picked: row.ticked,
    buttons: [...(image.problem === undefined ? [edit] : []), { ...link, press: show }],
    // An image without a prompt or a place can't be rendered: selecting only that asks for one.
    press: wants === 'prompt' || wants === 'place' ? () => ({ to: wants, id }) : undefined,
  };
}

function doubtWords({ doubt }: MissingRow['item']['image']): string {
  switch (doubt?.why) {
    case 'elsewhere':
      return vscode.l10n.t('exists as {0}', doubt.path);
    case 'ignored':
      return vscode.l10n.t('listed in .gitignore');
    case 'place':
      return vscode.l10n.t('folder unknown');
    default:
      return '';
  }
}

/** The prompt as it's sent; if that isn't enough to render from, the reason. */
function detailOf({ item, price }: MissingRow, { model, style }: MissingList): string {
  const { image, prompt, wants, inputs } = item;
  if (image.problem !== undefined) return image.problem;
  if (wants === 'place')
    return vscode.l10n.t('We can’t tell where the site looks for it. Select it to choose a folder.');
  if (wants === 'prompt') return vscode.l10n.t('The link doesn’t describe the image. Enter a prompt.');
  if (wants === 'model') return vscode.l10n.t('This model needs more than a prompt. Choose another.');
  return price.is === 'failed' ? sentenceOf(price.error) : style ? promptOf(model, inputs) : prompt;
}

/** Shows the link behind the list, which stays open. */
async function showLink({ item: { image } }: MissingRow): Promise<void> {
  const uri = vscode.Uri.parse(image.documents[0], true);
  if (image.cell !== undefined) return showCell(uri, image.cell);
  const document = await vscode.workspace.openTextDocument(uri);
  const at = document.positionAt(image.offset);
  await vscode.window.showTextDocument(document, {
    preview: true,
    preserveFocus: true,
    selection: new vscode.Range(at, at),
  });
}

async function showCell(uri: vscode.Uri, index: number): Promise<void> {
  const notebook = await vscode.workspace.openNotebookDocument(uri);
  const selections = [new vscode.NotebookRange(index, index + 1)];
  await vscode.window.showNotebookDocument(notebook, { preview: true, preserveFocus: true, selections });
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
  { session, renders, chosenModels, list: models }: Foundation,
  drafts: Drafts,
): Promise<void> {
  const picked = await pickModel(() => models.read(), chosenModels, true);
  if (!picked) return;
  const model = await session.model(picked.id);
  const kind = await (await renders.get()).makes(model.id);
  if (kind === 'image') list.use(model, drafts.rendered(model.id));
  else if (kind !== undefined)
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} doesn’t generate images.', plain(model.title)));
}

async function chooseStyle(list: MissingList): Promise<void> {
  const chosen = await askStyle(list.styles, list.style?.id);
  if (chosen) list.chooseStyle(chosen.id);
}

/** Asks for the folder of an image whose link doesn't tell. */
async function choosePlace(list: MissingList, id: string, { targets }: Renders): Promise<void> {
  const { file = '' } = list.row(id)?.item.image ?? {};
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
  list.place(id, { file: placed.toString(), problem: targetProblemOf(placed, targets) });
}

async function changePrompt(list: MissingList, id: string): Promise<void> {
  const { image, prompt } = list.row(id)?.item ?? {};
  const name = plain(vscode.workspace.asRelativePath(vscode.Uri.parse(image?.file ?? '', true)));
  const answer = await askPrompt(vscode.l10n.t('Prompt for {0}', name), prompt);
  if (answer !== undefined) list.say(id, answer);
}

/** The dependencies of ordering missing images. */
export interface OrderDeps {
  readonly documents: Documents;
  readonly renders: Renders;
  readonly session: Session;
  readonly settings: Settings;
}

/** An order with a stated price. */
type PricedImage = PricedOrder & { readonly shownCents: number };

/** The money that pays for it: one of the user's limits, or the balance. */
interface Cover extends SharedBudget {
  readonly budget?: NamedBudget;
}

/**
 * Asks for one confirmation of the total: for as many as balance and limits cover. Undefined when the user declined,
 * or was told why not even the first is covered.
 */
async function agreedOf(
  list: MissingList,
  client: CatalogClient,
  deps: OrderDeps,
  instead: QuestionWords['instead'],
): Promise<readonly PricedImage[] | undefined> {
  const { renders, session } = deps;
  const { agreed, model } = list;
  await session.refreshBalance();
  const orders = agreed.map((one) => orderOf(one, client, deps));
  const { count, over } = covered(
    orders.map(({ shownCents, target }) => ({ cents: shownCents, limits: coversOf(target, deps) })),
  );
  const affordable = orders.slice(0, count);
  const cover = over && coverSentence(over, orders, count);
  const words = { question: questionOf(affordable, model), detail: cover, instead };
  const ask = async () => {
    if (affordable.length === 0) refuse(orders[0], over, renders.orders);
    return renders.orders.agreesTo(affordable, words, instead ? 'automation' : 'user');
  };
  return (await isAgreed(ask)) ? affordable : undefined;
}

/**
 * Orders those still wanted. Resolves when they have ended, or on a cancel, which doesn't stop those already sent.
 */
async function renderMissing(
  agreed: readonly PricedImage[],
  list: MissingList,
  still: StillWanted,
  deps: OrderDeps,
): Promise<undefined> {
  const { documents } = deps;
  const [first] = agreed;
  if (!first) return;
  await documents.lastModel.keep(first.modelId);
  const entries = await run(agreed, still, deps);
  void documents.renamed?.ask(entries, documentsOf(entries.filter(isRenamed), list));
}

/** The documents that name the files of these renders: no others are opened. */
function documentsOf(entries: readonly LibraryEntry[], list: MissingList): string[] {
  const files = new Set(entries.map(({ record }) => record && targetFile(record.target)?.toString()));
  const named = list.rows.filter(({ item }) => files.has(item.image.file));
  return [...new Set(named.flatMap(({ item }) => item.image.documents))];
}

function orderOf(
  { item: { image, modelId, inputs }, cents }: MissingList['agreed'][number],
  client: CatalogClient,
  { renders, settings }: OrderDeps,
): PricedImage {
  const file = vscode.Uri.parse(image.file, true);
  const target = { ...renders.targets.file(file), fit: linkFit(file, image.size, settings) };
  const { account } = client;
  const order = { intent: systemRandom.uuid(), modelId, inputs: frozenInputs(inputs), target };
  return { ...order, shownCents: cents, account, asked: { client } };
}

function coversOf(target: Target, { renders, session }: OrderDeps): Cover[] {
  const limits = renders.orders.limitsOf(target).map((budget) => ({ ...budget, budget }));
  return [{ id: 'balance', limit: session.state.balance?.cents, committed: 0 }, ...limits];
}

/** Throws UserError: not even the first is covered. */
function refuse(order: PricedImage | undefined, over: Cover | undefined, orders: Orders): void {
  if (!order || !over) return;
  if (over.budget) orders.checkLimits([order]);
  throw new UserError(shortSentence(over.limit ?? 0, order.shownCents));
}

function questionOf(orders: readonly PricedImage[], model: Model | undefined): string {
  const sum = sumOf(orders);
  const name = plain(model?.title ?? '', 80);
  return orders.length === 1
    ? vscode.l10n.t('Render with {0} for {1}?', name, money(sum))
    : vscode.l10n.t('Render {0} images with {1} for {2} in total?', orders.length, name, money(sum));
}

/** Why not all of them are ordered. */
function coverSentence({ limit = 0, budget }: Cover, orders: readonly PricedImage[], count: number): string {
  return budget
    ? vscode.l10n.t(
        'Your {0} limit covers only the first {3} of {4} images, with {2} already used (modelCatalog.{1}).',
        money(limit),
        limitSetting(budget.name, orders[count]?.target.root),
        money(budget.committed),
        count,
        orders.length,
      )
    : vscode.l10n.t('Your balance of {0} covers only the first {1} of {2} images.', money(limit), count, orders.length);
}

/** Renders them. One question about changed links for all of them, instead of one each. */
async function run(
  orders: readonly PricedImage[],
  still: StillWanted,
  { renders, documents, settings }: OrderDeps,
): Promise<readonly LibraryEntry[]> {
  const held = documents.renamed?.hold(orders.map(({ intent }) => intent));
  const title = vscode.l10n.t('Rendering missing images');
  try {
    return await renderTogether(orders, renders, settings, { title }, still);
  } finally {
    held?.dispose();
  }
}

function sumOf(orders: readonly PricedImage[]): number {
  return orders.reduce((cents, { shownCents }) => cents + shownCents, 0);
}
