import * as vscode from 'vscode';
import { UserError } from '../../editor/userError';
import { plain } from '../../base/plain';
import { fileNameOf } from '../../files/fileName';
import { folded } from '../../files/names';
import type { Target } from '../../renders/record';
import { newImageOf } from '../../renderFiles/newImage';
import type { StateOf } from '../../renderFiles/states';
import { baseOf } from '../../renderFiles/targets';
import { exists } from '../../editor/exists';
import type { Targets } from '../rendering/targets';
import type { Settings } from '../../editor/settings';

/** An image that is missing or stale, in a workspace folder. */
export interface Due extends StateOf {
  readonly folder: vscode.Uri;
}

/** Where an entry's new image goes. Rejects with UserError when nothing can be saved there. */
export async function entryTarget(
  { folder, ...one }: Due,
  targets: Targets,
  settings: Pick<Settings, 'provenance'>,
): Promise<Target> {
  const { target: named } = one.render;
  const { replaces, fit } = newImageOf(one, settings.provenance(folder.toString()) !== 'none');
  if (replaces) {
    const uri = vscode.Uri.joinPath(folder, replaces.file);
    const target = await targets.replacing(uri);
    if (target.replaces) return { ...target, fit: replaces.fit };
    if (folded(replaces.file) === folded(named) && (await exists(uri))) throw notReplaced(uri);
  }
  return { ...newFile(vscode.Uri.joinPath(folder, named), targets), fit };
}

/** A name without an image's file extension gets that of the result. */
function newFile(uri: vscode.Uri, targets: Targets): Target {
  if (baseOf(uri.path) !== uri.path) return targets.file(uri);
  const fileName = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return { ...targets.at(vscode.Uri.joinPath(uri, '..')), fileName };
}

function notReplaced(uri: vscode.Uri): UserError {
  return new UserError(
    vscode.l10n.t(
      '“{0}” can’t be replaced with a new image. Enter another file extension in its entry, such as .png.',
      plain(fileNameOf(uri.toString()), 60),
    ),
  );
}
