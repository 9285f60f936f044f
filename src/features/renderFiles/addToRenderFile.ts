import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import type { JsonObject } from '../../base/json';
import { iconless, plain } from '../../base/plain';
import { UserError } from '../../editor/userError';
import { editAsRead } from '../../documents/asRead';
import { fileNameOf } from '../../files/fileName';
import type { Fit } from '../../files/fit/fit';
import { entriesAdded, type AddedRender } from '../../renderFiles/addEntries';
import { renderFileText } from '../../renderFiles/newRenderFile';
import { placeOf as placeInFile } from '../../renderFiles/renderFile';
import { placeOf, renderAt } from '../../renderFiles/targets';
import { problemSentence } from '../../renderFiles/words';
import { pathIn } from '../links/filesThere';
import { applyAsRead } from '../links/workspaceEdit';
import type { AllRenderFiles } from './allRenderFiles';
import { newFileUri, writeAndShow } from './newFileUri';
import { rangeOf } from './rangeOf';
import { recordedFiles, type RecordedFiles } from './recordedFiles';
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
 * Adds entries to the render file of their workspace folder, and reveals the first. The person picks one of several;
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
    const place = placeOf('', '', target);
    if ('code' in place) throw new UserError(problemSentence({ ...place, ...nowhere, file: target }, vscode.l10n));
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

/** Undefined when the person canceled. */
async function chosenFile(
  folder: vscode.WorkspaceFolder,
  all: AllRenderFiles,
): Promise<vscode.Uri | 'new' | undefined> {
  const found = (await all.look()).files.filter((one) => one.folder.toString() === folder.uri.toString());
  const [only, ...others] = found;
  if (!only) return 'new';
  if (others.length === 0) return only.text.uri;
  const rows = found.map(({ text: { uri } }) => ({ label: iconless(pathIn(folder, uri)), uri }));
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
