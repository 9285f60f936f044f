import * as vscode from 'vscode';
import type { Lazy } from '../../base/lazy';
import type { Session } from '../../catalog/session';
import type { Model } from '../../catalog/types';
import { syntaxOf } from '../../documents/syntax';
import { connectedClient } from '../account/connectedClient';
import type { Connection } from '../account/connection';
import type { Documents } from '../documents/documents';
import { inputStep } from '../inputStep';
import { firstModel } from '../models/firstModel';
import { knownModel } from '../models/knownModel';
import type { ModelList } from '../models/modelList';
import { pickModel } from '../models/modelPicker';
import type { AtHand } from '../models/modelSearch';
import { plain } from '../plain';
import { asPrompt } from '../quickRender/writing';
import type { Renders } from '../renders/renders';
import type { Settings } from '../settings';
import { UserError } from '../userError';
import { MissingList, type Agreed } from './missingList';
import { showMissingList } from './missingListBox';
import { searchMissing, type FoundMissing } from './missingSearch';
import { orderMissing } from './orderMissing';

/** What the list of missing images needs of the rest of the extension. */
export interface MissingWorld {
  readonly documents: Lazy<Documents>;
  readonly renders: Lazy<Renders>;
  readonly session: Session;
  readonly settings: Pick<Settings, 'notifications'>;
  readonly connection: Pick<Connection, 'start'>;
  readonly list: ModelList;
  readonly atHand: AtHand;
}

/** What a model is chosen with. */
type Choice = Pick<MissingWorld, 'session' | 'list' | 'atHand'> & { readonly documents: Pick<Documents, 'drafts'> };

/** How old a price may be when it is agreed to, ms. */
const freshMs = 60_000;

/**
 * Lists the images that are not there of a document or of all below a folder (a URI), else of the active document, else of the workspace; and
 * renders those that are ticked once the person agreed to their sum. Resolves when they are there or the person has gone elsewhere. Rejects with
 * UserError or ServiceError when they cannot be looked for or ordered.
 */
export async function renderMissingImages(where: unknown, world: MissingWorld): Promise<void> {
  const scope = where instanceof vscode.Uri ? where : activeDocument();
  if ((await renderIn(scope, world)) === 'everywhere') await renderIn(undefined, world);
}

async function renderIn(scope: vscode.Uri | undefined, world: MissingWorld): Promise<'everywhere' | undefined> {
  const documents = await world.documents.get();
  const renders = await world.renders.get();
  const found = await search(scope, documents, renders);
  if (!found) return undefined;
  if (found.images.length === 0) return tellNone(scope, found);
  await world.connection.start();
  const { account } = connectedClient(world.session);
  const list = new MissingList(found.images, (modelId, inputs) => documents.prices.price(modelId, inputs, freshMs));
  try {
    const model = await imageModel(world.session, documents.lastModel.read());
    if (model) list.use(model, documents.drafts.rendered(model.id));
    const answer = await agreed(list, found, scope !== undefined, { ...world, documents });
    if (answer === undefined || answer === 'everywhere') return answer;
    await orderMissing(answer, account, { ...world, documents, renders });
    return undefined;
  } finally {
    list.dispose();
  }
}

/** The document somebody is writing, where it can show images and lies in an open folder. */
function activeDocument(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  const isOurs =
    document && vscode.workspace.getWorkspaceFolder(document.uri) && syntaxOf(document.languageId, document.uri.path);
  return isOurs ? document.uri : undefined;
}

/** Undefined when the person cancelled it. */
async function search(
  scope: vscode.Uri | undefined,
  { links }: Documents,
  { targets }: Renders,
): Promise<FoundMissing | undefined> {
  const isOpen = vscode.workspace.textDocuments.some(({ uri }) => uri.toString() === scope?.toString());
  if (isOpen) return searchMissing(scope, links, targets);
  if (!vscode.workspace.workspaceFolders) throw new UserError(vscode.l10n.t('Open a folder first.'));
  const title = vscode.l10n.t('Looking for missing images');
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return vscode.window.withProgress(options, (_, token) => searchMissing(scope, links, targets, token));
}

/** `everywhere` when the person wants to look further. */
async function tellNone(
  scope: vscode.Uri | undefined,
  { documents, isCut }: FoundMissing,
): Promise<'everywhere' | undefined> {
  const place = scope && plain(vscode.workspace.asRelativePath(scope));
  const sentence = isCut
    ? vscode.l10n.t(
        'No image is missing in the first {0} documents, and no more are looked at: choose a folder in the explorer.',
        documents,
      )
    : place === undefined
      ? vscode.l10n.t('No image is missing in the documents of the workspace.')
      : vscode.l10n.t('No image is missing in {0}.', place);
  const further = vscode.l10n.t('Look in the Workspace');
  const answer = await vscode.window.showInformationMessage(sentence, ...(scope ? [further] : []));
  return answer === further ? 'everywhere' : undefined;
}

/** Shows the list until something of it is to be ordered. Undefined when the person dismisses it. */
async function agreed(
  list: MissingList,
  found: FoundMissing,
  isPart: boolean,
  world: Choice,
): Promise<readonly Agreed[] | 'everywhere' | undefined> {
  const note = found.isCut
    ? vscode.l10n.t(
        'the search stopped after {0} documents: choose a folder in the explorer for the others',
        found.documents,
      )
    : undefined;
  for (;;) {
    const step = await showMissingList(list, note, isPart);
    if (step?.to === 'order') return list.agreed;
    if (step?.to === 'model') await chooseModel(list, world);
    else if (step?.to === 'prompt') await changePrompt(list, step.file);
    else return step?.to;
  }
}

/** The image model to begin with: the last one, where it is one. Undefined when there is none. Rejects with ServiceError. */
async function imageModel(session: Session, last: string | undefined): Promise<Model | undefined> {
  const model = last === undefined ? undefined : await knownModel(session.model(last));
  return model?.kind === 'image' ? model : firstModel(session, 'image', asPrompt, '');
}

async function chooseModel(list: MissingList, { session, atHand, list: models, documents }: Choice): Promise<void> {
  const picked = await pickModel(() => models.read(), atHand, true);
  if (!picked) return;
  const model = await session.model(picked.id);
  if (model.kind === 'image') list.use(model, documents.drafts.rendered(model.id));
  else void vscode.window.showInformationMessage(vscode.l10n.t('{0} makes no images.', plain(model.title)));
}

async function changePrompt(list: MissingList, file: string): Promise<void> {
  const row = list.rows.find(({ image }) => image.file === file);
  const name = plain(vscode.workspace.asRelativePath(vscode.Uri.parse(file, true)));
  const answer = await inputStep({
    title: vscode.l10n.t('Prompt for {0}', name),
    back: true,
    prompt: vscode.l10n.t('What the picture is to show.'),
    value: row?.prompt,
    check: () => undefined,
  });
  if (typeof answer === 'object') list.say(file, answer.text);
}
