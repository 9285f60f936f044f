import * as vscode from 'vscode';
import type { PriceWish } from '../../compose/priceWish';
import { plain } from '../../base/plain';
import { mayMake } from '../../catalog/kinds';
import { UserError } from '../../editor/userError';
import { imageEndings } from '../../documents/imageEndings';
import { renderAt } from '../../renderFiles/targets';
import type { AskedRender } from '../../renderFiles/renderFile';
import type { Foundation } from '../../foundation';
import { pathIn } from '../links/filesThere';
import { exists } from '../../editor/exists';
import { targetFile } from '../../editor/targetFile';
import type { ImageToAdd } from './addToRenderFile';
import type { AllRenderFiles } from './allRenderFiles';

/**
 * The image that a form would render now, for a render file: under the name that its result would get, if neither an
 * image nor an entry of a render file has that. None when the person canceled. Rejects with UserError when the form
 * isn't complete, or its model doesn't make images.
 */
export async function formToAdd(
  next: PriceWish | undefined,
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
