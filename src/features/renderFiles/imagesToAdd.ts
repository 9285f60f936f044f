import * as vscode from 'vscode';
import { plain } from '../../base/plain';
import { UserError } from '../../editor/userError';
import { systemClock } from '../../base/clock';
import type { JsonObject } from '../../base/json';
import { promptOf } from '../../documents/prompt';
import { fileNameOf } from '../../files/fileName';
import { tellingOf } from '../../files/telling';
import type { Foundation } from '../../foundation';
import { fileOf } from '../../editor/fileOfItem';
import { readable } from '../rendering/fileOrigin';
import type { DocumentLink } from '../links/documentLinks';
import { shapeOf } from '../../documents/shape';
import { linkFit } from '../links/linkFit';
import type { ImageToAdd } from './addToRenderFile';
import { imageRecipe } from './imageRecipe';
import type { Documents } from '../links/documents';
import type { Settings } from '../../editor/settings';

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
    const telling = await tellingOf(await readable(file, foundation.log), systemClock);
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
  const prompt = promptOf(link);
  const size = shapeOf(link);
  const fit = size && linkFit(file, size, settings);
  const inputs: JsonObject = prompt === undefined ? {} : { prompt };
  return { file, modelId: lastModel.read() ?? '', inputs, fit, inherits: true };
}
