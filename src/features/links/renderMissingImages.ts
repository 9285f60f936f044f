import * as vscode from 'vscode';
import { systemRandom } from '../../base/random';
import { Seeds } from '../../catalog/seeds';
import type { Session } from '../../catalog/session';
import type { Model } from '../../catalog/types';
import { isNotebook, syntaxOf } from '../../documents/syntax';
import { connectedClient } from '../account/connectedClient';
import type { Documents } from './documents';
import { inputStep } from '../../editor/inputStep';
import { firstModel } from '../models/model/firstModel';
import { knownModel } from '../models/model/knownModel';
import { pickModel } from '../models/modelPicker';
import { plain } from '../../base/plain';
import { fileNameOf } from '../../files/fileName';
import { asPrompt } from '../../compose/writing';
import type { Renders } from '../rendering/renders';
import { StillWanted } from '../rendering/stillWanted';
import { tellPending } from '../rendering/tellPending';
import { UserError } from '../../editor/userError';
import { requireTrust } from '../../editor/trust';
import { askStyle } from '../../compose/askStyle';
import { MissingList, type AgreedImage } from './model/missingList';
import type { Foundation } from '../../foundation';
import { showMissingList } from './missingListBox';
import { problemOf, searchMissing, type FoundMissing } from './missingSearch';
import { agreedOf, renderMissing } from './orderMissing';
import type { StyleShelf } from '../../compose/projectStyles';
import type { Drafts } from '../models/model/drafts';

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
  list.place(file, { file: placed.toString(), problem: problemOf(placed, targets) });
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
