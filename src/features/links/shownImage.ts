import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json';
import { type Log, warnOnce } from '../../base/log';
import { promptOf } from '../../catalog/fields';
import type { ImageMarkup } from '../../documents/insertion';
import { newNaming } from '../../documents/linkPath';
import { altFrom, type StatedSize } from '../../documents/prompt';
import { syntaxOf, type Syntax } from '../../documents/syntax';
import { documentFolder, readUpTo, loggedPath } from '../../editor/workspaceFiles';
import { exists } from '../../editor/exists';
import { largestImage, displayedSize } from '../../files/imageSize';
import { fileOrigin } from '../rendering/fileOrigin';
import { recipeIn } from '../rendering/model/recipe';
import type { Renders } from '../rendering/renders';
import type { DocumentLinks } from './documentLinks';

/** One of our images, as documents show it. */
export interface ShownImage {
  readonly file: vscode.Uri;
  readonly alt: string;
  readonly size?: StatedSize;
}

/** Everything needed to show an image in a document. */
export interface Shown {
  readonly syntax: Syntax;
  readonly parts: ImageMarkup;
}

/** The description of an image made from these inputs. */
export function altOf(inputs: JsonObject): string {
  return altFrom(promptOf(undefined, inputs));
}

/** The image of an existing file; its description is empty if it's unknown how it was made. */
export async function shownImage(file: vscode.Uri, renders: Renders): Promise<ShownImage> {
  return (await resultImage(file, renders)) ?? { file, alt: '', size: await sizeOf(file, renders.log) };
}

/**
 * The image of an existing file that is one of our results, wherever it was moved and whoever rendered it; undefined
 * for any other.
 */
export async function resultImage(
  file: vscode.Uri,
  renders: Pick<Renders, 'library' | 'log'>,
): Promise<ShownImage | undefined> {
  if (!(await exists(file))) return undefined;
  const recipe = recipeIn(await fileOrigin(file, renders));
  if (!recipe) return undefined;
  const alt = recipe.promptLeftOut ? '' : altOf(recipe.inputs);
  return { file, alt, size: await sizeOf(file, renders.log) };
}

/**
 * Undefined when the document can't show images there, or is in another workspace folder than the file. What it says of
 * its images counts if its text is given. Never rejects.
 */
export async function shownIn(
  document: Pick<vscode.TextDocument, 'uri' | 'languageId'> & Partial<vscode.TextDocument>,
  { file, alt, size }: ShownImage,
  links: DocumentLinks,
): Promise<Shown | undefined> {
  const { uri, languageId } = document;
  const folder = documentFolder(uri);
  const syntax = syntaxOf(languageId, uri.path);
  if (!folder || !syntax || vscode.workspace.getWorkspaceFolder(file) !== folder) return undefined;
  const path = await links.pathOf(newNaming(syntax, document.getText?.() ?? ''), uri, file, folder);
  return { syntax, parts: { path, alt, ...size } };
}

/**
 * The size of an image; undefined, with a line in the log, if it can't be determined. Rejects if the image can't be
 * read.
 */
export async function sizeOf(file: vscode.Uri, log: Log): Promise<StatedSize | undefined> {
  const bytes = await readUpTo(file, largestImage, log);
  const size = bytes && displayedSize(bytes);
  if (bytes && !size) warnOnce(log, `“${loggedPath(file)}” has no size that we can read`);
  return size;
}
