import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { forEachLimit } from '../../base/concurrency';
import type { JsonObject } from '../../base/json';
import { escapeForIcons, oneLine, plain } from '../../base/plain';
import { mayMake, promptField, styledInput } from '../../catalog/fields';
import type { DraftRequest } from '../../compose/offer';
import { asPrompt } from '../../compose/writing';
import { editAsRead } from '../../documents/link';
import { imageEndings } from '../../documents/paths';
import { promptOfLink, shapeOf } from '../../documents/prompt';
import { exists } from '../../editor/exists';
import type { Settings } from '../../editor/settings';
import { UserError } from '../../editor/userError';
import { fileOf, targetFile } from '../../editor/workspaceFiles';
import type { Fit } from '../../files/fit/fit';
import { fileNameOf, numberedNames } from '../../files/names';
import { type FileMetadata, fileMetadataOf } from '../../files/provenance';
import type { Foundation } from '../../foundation';
import { type AddedRender, entriesAdded } from '../../renderFiles/addEntries';
import { listable, type MadeImage, type NewRender, renderFileText } from '../../renderFiles/newRenderFile';
import { type AskedRender, mostRenders, spanOf as placeInFile } from '../../renderFiles/renderFile';
import { renderAt, targetPlaceOf } from '../../renderFiles/targets';
import { entryProblemSentence } from '../../renderFiles/words';
import type { DocumentLink } from '../links/documentLinks';
import type { Documents } from '../links/documents';
import { linkFit } from '../links/linkFit';
import { searchedFiles } from '../links/missingSearch';
import { pathIn } from '../links/sites';
import { applyAsRead } from '../links/workspaceEdit';
import { firstModel, LastModel } from '../models/model/lastModel';
import { fileOrigin, readable } from '../rendering/fileOrigin';
import { type Recipe, recipeIn } from '../rendering/model/recipe';
import type { AllRenderFiles } from './allRenderFiles';
import { recordedFiles, type RecordedFiles } from './followMoves';
import { projectImagesIn } from './projectImages';
import { rangeOf, type ReadFile, type RenderFiles } from './renderFiles';

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
 * they were made from; without any images, one to begin with, and its prompt selected. Where the folder has a
 * render file already, the new one is shown for review, unsaved. Rejects with UserError when there’s nothing to list.
 */
export async function newRenderFile(where: unknown, all: AllRenderFiles, foundation: Foundation): Promise<void> {
  const folder = where instanceof vscode.Uri ? where : await askedFolder();
  const root = folder && vscode.workspace.getWorkspaceFolder(folder);
  if (!root) return;
  const title = vscode.l10n.t('Reading image metadata…');
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  const found = await vscode.window.withProgress(options, (_, token) => findIn(folder, root, token, all, foundation));
  if (!found) return;
  const path = pathIn(root, vscode.Uri.joinPath(folder, usualName));
  const listed = await listable(path, found.made, projectImagesIn(root.uri, foundation.log), systemClock);
  const name = plain(fileNameOf(folder.path));
  const begins = listed.length === 0 && hasNoImages(found);
  if (listed.length === 0 && !begins) throw new UserError(nothingSentence(found, name));
  const prompt = begins ? await firstPrompt(foundation) : undefined;
  const text = prompt
    ? renderFileText(
        path,
        [firstRender(pathIn(root, folder), prompt)],
        [vscode.l10n.t('Each entry is an image. Describe it in its prompt, then select Render above the entry.')],
      )
    : renderFileText(path, listed, comments(found, listed));
  const uri = await newFileUri(folder);
  const isWritten = fileNameOf(uri.path) === usualName && (await writeAndShow(uri, text));
  const editor = isWritten ? vscode.window.activeTextEditor : await showUnsaved(uri, text);
  const written = JSON.stringify(prompt?.text);
  if (prompt && editor) select(editor, text.lastIndexOf(written) + 1, written.length - 2);
}

async function showUnsaved(uri: vscode.Uri, text: string): Promise<vscode.TextEditor> {
  const untitled = uri.with({ scheme: 'untitled' });
  const edit = new vscode.WorkspaceEdit();
  edit.insert((await vscode.workspace.openTextDocument(untitled)).uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  return vscode.window.showTextDocument(untitled, { preview: false });
}

function select(editor: vscode.TextEditor, offset: number, length: number): void {
  const at = (place: number) => editor.document.positionAt(place);
  editor.selection = new vscode.Selection(at(offset), at(offset + length));
}

/** A prompt to begin a render file with: the first that the default model suggests, to be overwritten. */
interface FirstPrompt {
  readonly modelId: string;
  /** The name of its field. */
  readonly field: string;
  /** Empty if the model suggests none. */
  readonly text: string;
}

async function firstPrompt({ connection, memory, session, settings }: Foundation): Promise<FirstPrompt> {
  await connection.start();
  const last = new LastModel(memory.globalState, undefined, () => settings.defaultModel).read();
  const model = last === undefined ? await firstModel(session, 'image', asPrompt, '') : await session.model(last);
  const field = promptField(model?.fields ?? []);
  const [text = ''] = field?.examples ?? [];
  return { modelId: model?.id ?? '', field: field?.name ?? styledInput, text };
}

function firstRender(folder: string, { modelId, field, text }: FirstPrompt): NewRender {
  const target = [folder, 'images/hero.png'].filter(Boolean).join('/');
  return { target, modelId, inputs: { [field]: text } };
}

/** Undefined when the user canceled. */
async function askedFolder(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length < 2) return folders[0]?.uri;
  const placeHolder = vscode.l10n.t('Select a folder with images');
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
  const images = projectImagesIn(root.uri, foundation.log);
  const made = new Map<vscode.Uri, MadeImage>();
  const read = async (uri: vscode.Uri) => {
    const target = pathIn(root, uri);
    const metadata = await images.metadata(target);
    const recipe = metadata && (await imageRecipe(uri, metadata, foundation));
    if (!recipe) return;
    const { inputs } = await recordedFiles(recipe.inputs, root, images);
    made.set(uri, { target, metadata, modelId: recipe.modelId, inputs, fit: recipe.fit });
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

function hasNoImages({ made, unrecorded, isListed, cutAfter }: Found): boolean {
  return made.length === 0 && unrecorded.length === 0 && !isListed && cutAfter === undefined;
}

function nothingSentence({ made, unrecorded, cutAfter }: Found, name: string): string {
  if (cutAfter !== undefined)
    return vscode.l10n.t(
      'Nothing to list among the first {0} images in {1}, where the search stopped.',
      cutAfter,
      name,
    );
  if (made.length > 0 || unrecorded.length > 0)
    return vscode.l10n.t('No image in {0} has a complete record of how it was made, so there’s nothing to list.', name);
  return vscode.l10n.t('All images in {0} are in a render file already.', name);
}

/** What the file leaves out. */
function comments({ made, unrecorded, cutAfter }: Found, listed: readonly MadeImage[]): string[] {
  const left = made.filter((image) => !listed.includes(image)).map(({ target }) => target);
  return [
    ...(unrecorded.length === 0
      ? []
      : [vscode.l10n.t('Not listed, without a complete record of how it was made: {0}', names(unrecorded))]),
    ...(left.length === 0 ? [] : [vscode.l10n.t('Not listed, because an entry can’t reproduce it: {0}', names(left))]),
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
async function newFileUri(folder: vscode.Uri): Promise<vscode.Uri> {
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
async function writeAndShow(uri: vscode.Uri, text: string): Promise<boolean> {
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
async function imageRecipe(
  file: vscode.Uri,
  metadata: FileMetadata | undefined,
  { renders }: Foundation,
): Promise<Recipe | undefined> {
  const provenance = metadata?.record.provenance;
  if (provenance && !provenance.promptLeftOut) return provenance;
  const opened = await renders.get();
  const origin = await fileOrigin(file, opened);
  const recipe = recipeIn(origin, (record) => opened.library.inputsOf({ record, inputs: record.inputs }));
  return recipe?.promptLeftOut ? undefined : recipe;
}

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
    named.push({ ...render, ...(await recordedFiles(render.inputs, folder, files.imagesOf(folder.uri))) });
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
    throw new UserError(vscode.l10n.t('{0} has syntax errors. Fix them first.', entryNameOf(document.uri)));
  return read;
}

function notChanged(uri: vscode.Uri): UserError {
  return new UserError(vscode.l10n.t('Couldn’t change {0}. Check whether it’s read-only.', entryNameOf(uri)));
}

async function reveal(uri: vscode.Uri, [first]: readonly AddedRender[], files: RenderFiles): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const read = await files.read(document);
  const render = first && read && renderAt(read.file.renders, first.target);
  const selection = render && rangeOf(document, placeInFile(read.file, render));
  await vscode.window.showTextDocument(document, { preview: false, selection });
}

function entryNameOf(uri: vscode.Uri): string {
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
    throw new UserError(vscode.l10n.t('“{0}” doesn’t generate images. Choose another model.', plain(model.title)));
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
    const metadata = await fileMetadataOf(await readable(file, foundation.log), systemClock);
    const recipe = await imageRecipe(file, metadata, foundation);
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
