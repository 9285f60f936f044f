import * as vscode from 'vscode';
import { gestureOf } from '../../editor/gesture';
import { promptOf } from '../../catalog/fields';
import type { RenderRecord, Target } from '../../renders/record';
import { copyLinks } from '../links/copyLinks';
import type { Documents } from '../links/documents';
import { shownPicture } from '../links/shownPicture';
import { fileNameOf } from '../../files/fileName';
import { renderAgain } from '../generations/renderAgain';
import { placeName } from '../../catalog/placeName';
import { oneLine, plain } from '../../base/plain';
import type { Renders } from '../rendering/renders';
import { namesKeptImage } from '../../files/recordedImages';
import { fitAt } from '../../renderFiles/targets';
import { UserError } from '../../editor/userError';
import { fileOf } from '../../editor/fileOfItem';
import { fileOrigin } from '../rendering/fileOrigin';
import { unreadWords } from '../../editor/unreadWords';
import { recipeIn, type Recipe } from '../rendering/model/recipe';
import type { Session } from '../../catalog/session';
import type { Connection } from '../account/connection';
import type { OpenForm } from '../../compose/openForm';

/**
 * Renders a file's inputs again, to compare the result with it, after the price was confirmed. Undefined when it
 * wasn't.
 */
export async function renderFileAgain(
  item: unknown,
  renders: Renders,
  session: Session,
  connection: Connection,
  openForm: OpenForm,
): Promise<RenderRecord | undefined> {
  const file = fileOf(item);
  const recipe = await recipeOf(file, renders);
  const { modelId, inputs, service, promptLeftOut } = recipe;
  if (promptLeftOut) {
    await openForm(modelId, inputs);
    void vscode.window.showInformationMessage(
      vscode.l10n.t('This file doesn’t include its prompt. Enter a prompt in the form to render it again.'),
    );
    return undefined;
  }
  const target = { ...(await placeOf(file, renders)), fit: recipe.fit && fitAt(file.path, recipe.fit) };
  if (!recipe.isProven) {
    const way = await askAbout(recipe, file);
    if (way === 'form') await openForm(modelId, inputs, { target });
    if (way !== 'price') return undefined;
  }
  await connection.ready();
  const title = promptOf(undefined, inputs) || modelId;
  const detail = elsewhere(service, session);
  return renderAgain({ title, modelId, inputs, target, detail, gesture: gestureOf(item) }, renders, connection);
}

/** Opens the form with the inputs that a file was made from. */
export async function openFileInForm(file: vscode.Uri, renders: Renders, openForm: OpenForm): Promise<void> {
  const { modelId, inputs } = await recipeOf(file, renders);
  await openForm(modelId, inputs);
}

/**
 * The same for an image that was dropped on a form. False if anyone could have written that into it: a form would send
 * it for its price. Rejects with UserError.
 */
export async function openProvenInForm(file: vscode.Uri, renders: Renders, openForm: OpenForm): Promise<boolean> {
  if (!vscode.workspace.getWorkspaceFolder(file))
    throw new UserError(vscode.l10n.t('“{0}” isn’t in an open folder.', nameOf(file)));
  const { modelId, inputs, isProven = false } = await recipeOf(file, renders);
  if (isProven) await openForm(modelId, inputs);
  return isProven;
}

/** Copies the prompt that a file was made from. */
export async function copyFilePrompt(item: unknown, renders: Renders): Promise<void> {
  const file = fileOf(item);
  const { inputs, promptLeftOut } = await recipeOf(file, renders);
  const prompt = promptLeftOut ? '' : promptOf(undefined, inputs);
  if (prompt === '') throw new UserError(vscode.l10n.t('No prompt is recorded for “{0}”.', nameOf(file)));
  await vscode.env.clipboard.writeText(prompt);
}

/** Copies a link to an image, in the active document's syntax. */
export async function copyFileLink(item: unknown, renders: Renders, { links }: Documents): Promise<void> {
  await copyLinks([await shownPicture(fileOf(item), renders)], links);
}

/** Metadata from a file is shown before any of it is sent, even for a price. Undefined when the person declines. */
async function askAbout({ modelId, inputs }: Recipe, file: vscode.Uri): Promise<'form' | 'price' | undefined> {
  const [form, price] = [vscode.l10n.t('Open Form'), vscode.l10n.t('Show Price')];
  const prompt = promptOf(undefined, inputs);
  const others = Object.keys(inputs).length - (prompt === '' ? 0 : 1);
  const detail = [
    vscode.l10n.t('Model: {0}', oneLine(modelId, 120)),
    ...(prompt === '' ? [] : [vscode.l10n.t('Prompt: {0}', plain(prompt, 200))]),
    vscode.l10n.t('Other inputs: {0}', others),
    '',
    vscode.l10n.t(
      'Anyone could have written this into the file. Check all of it in the form before you send anything.',
    ),
  ].join('\n');
  const question = vscode.l10n.t('Render again with the inputs stored in “{0}”?', nameOf(file));
  // What the file says of an image may not be what that image shows: the form shows the image itself.
  const buttons = namesKeptImage(inputs) ? [form] : [form, price];
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
  return answer === form ? 'form' : answer === price ? 'price' : undefined;
}

async function recipeOf(file: vscode.Uri, renders: Renders): Promise<Recipe> {
  const origin = await fileOrigin(file, renders);
  const recipe = recipeIn(origin, (record) => renders.library.inputsOf({ record, inputs: record.inputs }));
  if (recipe) return recipe;
  const [unread] = unreadWords(file, origin.unread);
  throw new UserError(unread ?? vscode.l10n.t('There’s no record of how “{0}” was made.', nameOf(file)));
}

function nameOf(file: vscode.Uri): string {
  return plain(fileNameOf(file.toString()), 60);
}

async function placeOf(file: vscode.Uri, { targets }: Renders): Promise<Target> {
  return vscode.workspace.getWorkspaceFolder(file) ? targets.replacing(file) : targets.default();
}

/** Another service may have another model of that name, or none. */
function elsewhere(service: string | undefined, session: Session): string | undefined {
  const { place } = session.state;
  if (service === undefined || !place || placeName(place) === service) return undefined;
  return vscode.l10n.t(
    'It was made on “{0}”. Now it would be rendered on “{1}”.',
    oneLine(service),
    oneLine(placeName(place)),
  );
}
