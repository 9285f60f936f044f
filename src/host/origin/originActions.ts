import * as vscode from 'vscode';
import { promptOf } from '../../catalog/fields';
import type { RenderRecord, Target } from '../../renders/record';
import { copyLinks } from '../documents/copyLinks';
import { shownPicture } from '../documents/shownPicture';
import { fileNameOf } from '../fileName';
import { renderAgain } from '../generations/renderAgain';
import { originScheme } from '../ids';
import { placeName } from '../placeName';
import { oneLine, plain } from '../plain';
import type { Renders } from '../renders/renders';
import type { ResultWorld } from '../renders/resultWorld';
import { UserError } from '../userError';
import { fileOf } from './fileOfItem';
import { fileOrigin } from './fileOrigin';
import { originText } from './originText';
import { originWords } from './originWords';
import { recipeIn, type Recipe } from './recipe';

/** Opens the page that tells how a file was made; `refresh` has one that is open already written anew. */
export async function showOrigin(item: unknown, refresh: (page: vscode.Uri) => void): Promise<void> {
  const page = pageOf(fileOf(item));
  refresh(page);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(page));
}

/** The text of that page. */
export async function originPage(page: vscode.Uri, { renders }: ResultWorld): Promise<string> {
  const opened = await renders.get();
  const file = vscode.Uri.parse(page.query);
  const origin = await fileOrigin(file, opened);
  const entry = origin.record && opened.library.ofRecord(origin.record.key);
  return originText(file.toString(), origin, entry, originWords());
}

/** Renders what a file was made of once more, to be compared with it, after the price was agreed to. Undefined when it was not. */
export async function renderFileAgain(item: unknown, world: ResultWorld): Promise<RenderRecord | undefined> {
  const file = fileOf(item);
  const renders = await world.renders.get();
  const { modelId, inputs, service, promptLeftOut } = await recipeOf(file, renders);
  if (promptLeftOut) {
    await world.openForm(modelId, inputs);
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The prompt was left out of this file. Type it into the form to render it again.'),
    );
    return undefined;
  }
  await world.connection.ready();
  const title = promptOf(undefined, inputs) || modelId;
  const detail = elsewhere(service, world);
  const target = await placeOf(file, renders);
  return renderAgain({ title, modelId, inputs, target, detail }, renders, world);
}

/** Puts the prompt that a file was made from on the clipboard. */
export async function copyFilePrompt(item: unknown, world: ResultWorld): Promise<void> {
  const file = fileOf(item);
  const { inputs, promptLeftOut } = await recipeOf(file, await world.renders.get());
  const prompt = promptLeftOut ? '' : promptOf(undefined, inputs);
  if (prompt === '') throw new UserError(vscode.l10n.t('No prompt is known of “{0}”.', nameOf(file)));
  await vscode.env.clipboard.writeText(prompt);
}

/** Puts a link to a picture on the clipboard, as the active document would show it. */
export async function copyFileLink(item: unknown, { renders }: ResultWorld): Promise<void> {
  await copyLinks([await shownPicture(fileOf(item), await renders.get())]);
}

async function recipeOf(file: vscode.Uri, renders: Renders): Promise<Recipe> {
  const origin = await fileOrigin(file, renders);
  const recipe = recipeIn(origin);
  if (recipe) return recipe;
  throw new UserError(vscode.l10n.t('Nothing tells how “{0}” was made.', nameOf(file)));
}

/** The file's URI is the query; the path is what the tab says. */
function pageOf(file: vscode.Uri): vscode.Uri {
  const path = `/${vscode.l10n.t('{0} (how it was made)', nameOf(file))}`;
  return vscode.Uri.from({ scheme: originScheme, path, query: file.toString() });
}

function nameOf(file: vscode.Uri): string {
  return plain(fileNameOf(file.toString()), 60);
}

async function placeOf(file: vscode.Uri, { targets }: Renders): Promise<Target> {
  return vscode.workspace.getWorkspaceFolder(file) ? targets.replacing(file) : targets.default();
}

/** Another service may have another model of that name, or none. */
function elsewhere(service: string | undefined, { session }: ResultWorld): string | undefined {
  const { place } = session.state;
  if (service === undefined || !place || placeName(place) === service) return undefined;
  return vscode.l10n.t(
    'It was made at “{0}”, and would be rendered at “{1}” now.',
    oneLine(service),
    oneLine(placeName(place)),
  );
}
