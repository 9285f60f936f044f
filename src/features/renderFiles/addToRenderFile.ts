import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import type { JsonObject } from '../../base/json';
import { escapeForIcons, plain } from '../../base/plain';
import { mayMake } from '../../catalog/kinds';
import type { DraftRequest } from '../../compose/offer';
import { editAsRead } from '../../documents/link';
import { imageEndings } from '../../documents/paths';
import { promptOfLink, shapeOf } from '../../documents/prompt';
import { exists } from '../../editor/exists';
import { fileOf, targetFile } from '../../editor/workspaceFiles';
import type { Settings } from '../../editor/settings';
import { UserError } from '../../editor/userError';
import { fileNameOf } from '../../files/names';
import type { Fit } from '../../files/fit/fit';
import { fileMetadataOf } from '../../files/provenance';
import type { Foundation } from '../../foundation';
import { type AddedRender, entriesAdded } from '../../renderFiles/addEntries';
import { renderFileText } from '../../renderFiles/newRenderFile';
import { type AskedRender, spanOf as placeInFile } from '../../renderFiles/renderFile';
import { targetPlaceOf, renderAt } from '../../renderFiles/targets';
import { entryProblemSentence } from '../../renderFiles/words';
import type { DocumentLink } from '../links/documentLinks';
import type { Documents } from '../links/documents';
import { linkFit } from '../links/linkFit';
import { pathIn } from '../links/sites';
import { applyAsRead } from '../links/workspaceEdit';
import { readable } from '../rendering/fileOrigin';
import type { AllRenderFiles } from './allRenderFiles';
import { imageRecipe, newFileUri, writeAndShow } from './newRenderFile';
import { rangeOf } from './diagnostics';
import { recordedFiles, type RecordedFiles } from './followMoves';
import type { ReadFile, RenderFiles } from './renderFiles';

/** A render to add to a render file. */
export interface ImageToAdd {
  /** In an open folder; without an image's file extension, it gets that of the result. */
  readonly file: vscode.Uri;
  readonly modelId: string;
  readonly inputs: JsonObject;
  /** What it is fitted to; undefined if it's as it comes. */
  readonly fit?: Fit;
  /** True to take over what the render file states for all. */
  readonly inherits?: boolean;
}

/**
 * Adds entries to the render file of their workspace folder, and reveals the first. The user picks one of several;
 * without any, a new one is written. A file that is listed already is only revealed. Rejects with UserError when a file
 * can't be listed, or nothing can be added.
 */
export async function addToRenderFile(
  images: readonly ImageToAdd[],
  files: RenderFiles,
  all: AllRenderFiles,
): Promise<void> {
  const outside = images.find(({ file }) => !vscode.workspace.getWorkspaceFolder(file));
  if (outside) {
    const path = plain(outside.file.path);
    throw new UserError(
      vscode.l10n.t('“{0}” isn’t in an open folder. Open it first, or choose a folder in the workspace.', path),
    );
  }
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const here = images.filter(({ file }) => vscode.workspace.getWorkspaceFolder(file) === folder);
    const renders = here.map(({ file, ...made }) => ({ target: pathIn(folder, file), ...made }));
    if (renders.length > 0) await addIn(folder, renders, files, all);
  }
}

async function addIn(
  folder: vscode.WorkspaceFolder,
  renders: readonly AddedRender[],
  files: RenderFiles,
  all: AllRenderFiles,
): Promise<void> {
  for (const { target } of renders) {
    const place = targetPlaceOf('', '', target);
    if ('code' in place) throw new UserError(entryProblemSentence({ ...place, ...nowhere, file: target }, vscode.l10n));
  }
  const uri = await chosenFile(folder, all);
  if (!uri) return;
  const named: NamedRender[] = [];
  for (const render of renders)
    named.push({ ...render, ...(await recordedFiles(render.inputs, folder, files.picturesOf(folder.uri))) });
  const { file, added } =
    uri === 'new'
      ? { file: await newFileUri(folder.uri), added: named }
      : { file: uri, added: await addTo(uri, named, files) };
  if (uri === 'new' && !(await writeAndShow(file, renderFileText(pathIn(folder, file), named)))) throw notChanged(file);
  await reveal(file, renders, files);
  // The states and problems in the file show any others.
  const [sentence] = added.flatMap(({ sentences }) => sentences);
  if (sentence !== undefined) void vscode.window.showWarningMessage(sentence);
}

/** A render with the files of its given images. */
type NamedRender = AddedRender & RecordedFiles;

const nowhere = { severity: 'error', start: 0, end: 0 } as const;

/** Undefined when the user canceled. */
async function chosenFile(
  folder: vscode.WorkspaceFolder,
  all: AllRenderFiles,
): Promise<vscode.Uri | 'new' | undefined> {
  const found = (await all.look()).files.filter((one) => one.folder.toString() === folder.uri.toString());
  const [only, ...others] = found;
  if (!only) return 'new';
  if (others.length === 0) return only.text.uri;
  const rows = found.map(({ text: { uri } }) => ({ label: escapeForIcons(pathIn(folder, uri)), uri }));
  const fresh = { label: vscode.l10n.t('New Render File'), uri: 'new' as const };
  const placeHolder = vscode.l10n.t('Select the render file to add to');
  return (await vscode.window.showQuickPick([...rows, fresh], { placeHolder }))?.uri;
}

/** Leaves out what the file lists already; returns the others. */
async function addTo(
  uri: vscode.Uri,
  renders: readonly NamedRender[],
  files: RenderFiles,
): Promise<readonly NamedRender[]> {
  const document = await vscode.workspace.openTextDocument(uri);
  let fresh: readonly NamedRender[] = [];
  const isDone = await editAsRead(async () => {
    const { version } = document;
    const { file } = await readWhole(document, files);
    fresh = renders.filter(({ target }) => !renderAt(file.renders, target));
    if (fresh.length === 0) return [];
    const edits = await entriesAdded(document.getText(), file.path, fresh, systemClock);
    if (!edits) throw notChanged(uri);
    return [{ document, version, edits }];
  }, applyAsRead);
  if (!isDone) throw notChanged(uri);
  return fresh;
}

async function readWhole(document: vscode.TextDocument, files: RenderFiles): Promise<ReadFile> {
  const read = await files.read(document);
  const isEmpty = document.getText().trim() === '';
  if (!read || (read.file.isBroken && !isEmpty))
    throw new UserError(vscode.l10n.t('{0} has syntax errors. Fix them first.', nameOf(document.uri)));
  return read;
}

function notChanged(uri: vscode.Uri): UserError {
  return new UserError(vscode.l10n.t('{0} couldn’t be changed. See whether it’s read-only.', nameOf(uri)));
}

async function reveal(uri: vscode.Uri, [first]: readonly AddedRender[], files: RenderFiles): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const read = await files.read(document);
  const render = first && read && renderAt(read.file.renders, first.target);
  const selection = render && rangeOf(document, placeInFile(read.file, render));
  await vscode.window.showTextDocument(document, { preview: false, selection });
}

function nameOf(uri: vscode.Uri): string {
  return plain(fileNameOf(uri.path));
}

/**
 * The image that a form would render now, for a render file: under the name that its result would get, if neither an
 * image nor an entry of a render file has that. None when the user canceled. Rejects with UserError when the form
 * isn't complete, or its model doesn't make images.
 */
export async function formToAdd(
  next: DraftRequest | undefined,
  all: AllRenderFiles,
  { renders, session }: Foundation,
): Promise<readonly ImageToAdd[]> {
  if (!next?.inputs) throw new UserError(vscode.l10n.t('Complete the form first.'));
  const { modelId, inputs } = next;
  const model = await session.model(modelId);
  if (!mayMake(model, 'image'))
    throw new UserError(vscode.l10n.t('“{0}” doesn’t make images. Choose another model.', plain(model.title)));
  const { targets } = await renders.get();
  const target = await targets.decide(next.target);
  const root = target?.root === undefined ? undefined : vscode.Uri.parse(target.root, true);
  const folder = root && vscode.workspace.getWorkspaceFolder(root);
  if (!target || !folder) return [];
  const named = targetFile(target);
  if (named) return [{ file: named, modelId, inputs }];
  targets.check(target);
  const name = targets.previewName(target, model, inputs);
  const at = vscode.Uri.joinPath(folder.uri, target.folder);
  const found = (await all.look()).files.filter((one) => one.folder.toString() === folder.uri.toString());
  const listed = found.flatMap(({ file }) => file.renders);
  return [{ file: await unused(at, name, folder, listed), modelId, inputs }];
}

async function unused(
  at: vscode.Uri,
  name: string,
  folder: vscode.WorkspaceFolder,
  listed: readonly AskedRender[],
): Promise<vscode.Uri> {
  for (let number = 1; ; number++) {
    const uri = vscode.Uri.joinPath(at, number === 1 ? name : `${name}-${number}`);
    if (!renderAt(listed, pathIn(folder, uri)) && !(await hasImage(uri))) return uri;
  }
}

/** With any image's file extension. */
async function hasImage(uri: vscode.Uri): Promise<boolean> {
  const files = [...imageEndings].map((ending) => exists(uri.with({ path: `${uri.path}.${ending}` })));
  return (await Promise.all(files)).includes(true);
}

/**
 * The images (URIs, else the active one) with what they were made from; names those without a record in a message.
 * Rejects with UserError when none has one.
 */
export async function filesToAdd(
  item: unknown,
  items: unknown,
  foundation: Foundation,
): Promise<readonly ImageToAdd[]> {
  const several = Array.isArray(items) ? items.filter((one) => one instanceof vscode.Uri) : [];
  const files = several.length > 0 ? several.map(fileOf) : [fileOf(item)];
  const images: ImageToAdd[] = [];
  const others: string[] = [];
  // Each is read as a whole: one at a time.
  for (const file of files) {
    const telling = await fileMetadataOf(await readable(file, foundation.log), systemClock);
    const recipe = await imageRecipe(file, telling, foundation);
    if (recipe) images.push({ file, modelId: recipe.modelId, inputs: recipe.inputs, fit: recipe.fit });
    else others.push(plain(fileNameOf(file.toString()), 60));
  }
  const [first, ...more] = others;
  if (first === undefined) return images;
  const sentence =
    more.length === 0
      ? vscode.l10n.t('There’s no complete record of how “{0}” was made, so it can’t be added.', first)
      : vscode.l10n.t('These can’t be added without a complete record of how they were made: {0}', others.join(', '));
  if (images.length === 0) throw new UserError(sentence);
  void vscode.window.showWarningMessage(sentence);
  return images;
}

/**
 * The missing image of a link: its words are the prompt, its size is what it's fitted to, and the rest is what the
 * render file states for all. A file without a model gets the one of quick renders.
 */
export function linkToAdd({ link, file }: DocumentLink, { lastModel }: Documents, settings: Settings): ImageToAdd {
  const prompt = promptOfLink(link);
  const size = shapeOf(link);
  const fit = size && linkFit(file, size, settings);
  const inputs: JsonObject = prompt === undefined ? {} : { prompt };
  return { file, modelId: lastModel.read() ?? '', inputs, fit, inherits: true };
}
