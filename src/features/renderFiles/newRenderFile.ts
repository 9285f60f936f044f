import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { forEachLimit } from '../../base/concurrency';
import { oneLine, plain } from '../../base/plain';
import { imageEndings } from '../../documents/paths';
import { exists } from '../../editor/exists';
import { UserError } from '../../editor/userError';
import { fileNameOf, numberedNames } from '../../files/names';
import type { FileMetadata } from '../../files/provenance';
import type { Foundation } from '../../foundation';
import { listable, type MadeImage, renderFileText } from '../../renderFiles/newRenderFile';
import { mostRenders } from '../../renderFiles/renderFile';
import { searchedFiles } from '../links/missingSearch';
import { pathIn } from '../links/sites';
import { fileOrigin } from '../rendering/fileOrigin';
import { type Recipe, recipeIn } from '../rendering/model/recipe';
import type { AllRenderFiles } from './allRenderFiles';
import { picturesIn } from './picturesIn';
import { recordedFiles } from './followMoves';

/** The most names in one comment. */
const mostNames = 20;

/** The images of a folder that no render file lists yet. Paths are relative to the workspace folder. */
interface Found {
  readonly made: readonly MadeImage[];
  /** Without a complete record. */
  readonly unrecorded: readonly string[];
  readonly isListed: boolean;
  /** How many were searched if there are more. */
  readonly cutAfter?: number;
}

/**
 * Writes a render file for a folder (a URI, else the workspace folder) that lists the images in and below it with what
 * they were made from. Where the folder has a render file already, the new one is shown for review, unsaved. Rejects
 * with UserError when there’s nothing to list.
 */
export async function newRenderFile(where: unknown, all: AllRenderFiles, foundation: Foundation): Promise<void> {
  const folder = where instanceof vscode.Uri ? where : await askedFolder();
  const root = folder && vscode.workspace.getWorkspaceFolder(folder);
  if (!root) return;
  const title = vscode.l10n.t('Reading how images were made…');
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  const found = await vscode.window.withProgress(options, (_, token) => findIn(folder, root, token, all, foundation));
  if (!found) return;
  const path = pathIn(root, vscode.Uri.joinPath(folder, usualName));
  const listed = await listable(path, found.made, picturesIn(root.uri, foundation.log), systemClock);
  const name = plain(fileNameOf(folder.path));
  if (listed.length === 0) throw new UserError(nothingSentence(found, name));
  const text = renderFileText(path, listed, comments(found, listed));
  const uri = await newFileUri(folder);
  if (fileNameOf(uri.path) === usualName && (await writeAndShow(uri, text))) return;
  const untitled = uri.with({ scheme: 'untitled' });
  const edit = new vscode.WorkspaceEdit();
  edit.insert((await vscode.workspace.openTextDocument(untitled)).uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  await vscode.window.showTextDocument(untitled, { preview: false });
}

/** Undefined when the user canceled. */
async function askedFolder(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length < 2) return folders[0]?.uri;
  const placeHolder = vscode.l10n.t('Select the folder whose images to list');
  return (await vscode.window.showWorkspaceFolderPick({ placeHolder }))?.uri;
}

/** Undefined when the user canceled. */
async function findIn(
  folder: vscode.Uri,
  root: vscode.WorkspaceFolder,
  token: vscode.CancellationToken,
  all: AllRenderFiles,
  foundation: Foundation,
): Promise<Found | undefined> {
  const listed = await listedIn(root, all);
  const { uris, isCut } = await searchedFiles(`**/*.{${endings}}`, folder, mostRenders, foundation.log, token);
  const others = uris.filter((uri) => !listed.has(pathIn(root, uri)));
  const pictures = picturesIn(root.uri, foundation.log);
  const made = new Map<vscode.Uri, MadeImage>();
  const read = async (uri: vscode.Uri) => {
    const target = pathIn(root, uri);
    const telling = await pictures.telling(target);
    const recipe = telling && (await imageRecipe(uri, telling, foundation));
    if (!recipe) return;
    const { inputs } = await recordedFiles(recipe.inputs, root, pictures);
    made.set(uri, { target, telling, modelId: recipe.modelId, inputs, fit: recipe.fit });
  };
  // One that can't be read has no record either.
  const attempt = (uri: vscode.Uri) => read(uri).catch(() => undefined);
  await forEachLimit(others, 4, attempt, () => !token.isCancellationRequested);
  if (token.isCancellationRequested) return undefined;
  return {
    made: others.flatMap((uri) => made.get(uri) ?? []),
    unrecorded: others.filter((uri) => !made.has(uri)).map((uri) => pathIn(root, uri)),
    isListed: others.length < uris.length,
    cutAfter: isCut ? uris.length : undefined,
  };
}

/** In any case, as files are named. */
const endings = [...imageEndings].flatMap((ending) => [ending, ending.toUpperCase()]).join(',');

/** The images that render files list already, relative to the workspace folder. */
async function listedIn(root: vscode.WorkspaceFolder, all: AllRenderFiles): Promise<ReadonlySet<string>> {
  const { files } = await all.look();
  const here = files.filter(({ folder }) => folder.toString() === root.uri.toString());
  return new Set(here.flatMap(({ states }) => states.flatMap(({ state }) => ('file' in state ? [state.file] : []))));
}

function nothingSentence({ made, unrecorded, isListed, cutAfter }: Found, name: string): string {
  if (cutAfter !== undefined)
    return vscode.l10n.t(
      'Nothing to list among the first {0} images in {1}, where the search stopped.',
      cutAfter,
      name,
    );
  if (made.length > 0 || unrecorded.length > 0)
    return vscode.l10n.t('No image in {0} has a complete record of how it was made, so there’s nothing to list.', name);
  return isListed
    ? vscode.l10n.t('All images in {0} are in a render file already.', name)
    : vscode.l10n.t('There are no images in {0}.', name);
}

/** What the file leaves out. */
function comments({ made, unrecorded, cutAfter }: Found, listed: readonly MadeImage[]): string[] {
  const left = made.filter((image) => !listed.includes(image)).map(({ target }) => target);
  return [
    ...(unrecorded.length === 0
      ? []
      : [vscode.l10n.t('Not listed, without a complete record of how it was made: {0}', names(unrecorded))]),
    ...(left.length === 0 ? [] : [vscode.l10n.t('Not listed, since an entry can’t describe it: {0}', names(left))]),
    ...(cutAfter === undefined ? [] : [vscode.l10n.t('Only the first {0} images were read.', cutAfter)]),
  ];
}

function names(files: readonly string[]): string {
  const shown = files.slice(0, mostNames).map((file) => oneLine(file));
  return [...shown, ...(files.length > mostNames ? ['…'] : [])].join(', ');
}

/** The usual name of a render file. */
const usualName = 'renders.jsonc';

/** The first name for a render file in a folder that no file has, on disk or in an editor. */
export async function newFileUri(folder: vscode.Uri): Promise<vscode.Uri> {
  const usual = vscode.Uri.joinPath(folder, usualName);
  if (!(await isTaken(usual))) return usual;
  for (const name of numberedNames('images', usualName)) {
    const uri = vscode.Uri.joinPath(folder, name);
    if (!(await isTaken(uri))) return uri;
  }
  return usual;
}

async function isTaken(uri: vscode.Uri): Promise<boolean> {
  const isOpen = vscode.workspace.textDocuments.some((document) => document.uri.path === uri.path);
  return isOpen || (await exists(uri));
}

/** Writes a new file and shows it; false if something has its name by now, or nothing can be written there. */
export async function writeAndShow(uri: vscode.Uri, text: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { contents: new TextEncoder().encode(text) });
  if (!(await vscode.workspace.applyEdit(edit))) return false;
  await vscode.window.showTextDocument(uri, { preview: false });
  return true;
}

/**
 * Everything an image was made from: by its metadata, from which its state is read, else by our own records. Undefined
 * if neither is complete. Rejects when the records can't be read.
 */
export async function imageRecipe(
  file: vscode.Uri,
  telling: FileMetadata | undefined,
  { renders }: Foundation,
): Promise<Recipe | undefined> {
  const told = telling?.record.provenance;
  if (told && !told.promptLeftOut) return told;
  const opened = await renders.get();
  const origin = await fileOrigin(file, opened);
  const recipe = recipeIn(origin, (record) => opened.library.inputsOf({ record, inputs: record.inputs }));
  return recipe?.promptLeftOut ? undefined : recipe;
}
