import * as vscode from 'vscode';
import { UserError } from '../../app/userError';
import { plain } from '../../base/plain';
import { fileNameOf } from '../../files/fileName';
import { folded } from '../../files/names';
import type { FileFit } from '../../fit/fit';
import type { Target } from '../../renders/record';
import type { StateOf } from '../../renderFiles/states';
import { baseOf, fitAt } from '../../renderFiles/targets';
import { exists } from '../files/exists';
import type { Targets } from '../renders/targets';

/** An image that is missing or stale, in a workspace folder. */
export interface Due extends StateOf {
  readonly folder: vscode.Uri;
}

/**
 * Where an entry's new image goes. An image in another format than its entry names can't be replaced by one that is
 * fitted to it: that's a new file, and so is one next to an image that can't be replaced. Rejects with UserError when
 * nothing can be saved there.
 */
export async function entryTarget({ render, state, folder }: Due, targets: Targets): Promise<Target> {
  const { target: named } = render;
  const fit = fitOf(render, state);
  const replaced = state.state === 'stale' ? state.file : undefined;
  const isOther = replaced !== undefined && fit?.format !== undefined && fitAt(replaced, fit)?.format !== fit.format;
  if (replaced !== undefined && !isOther) {
    const uri = vscode.Uri.joinPath(folder, replaced);
    const target = await targets.replacing(uri);
    if (target.replaces) return { ...target, fit: fit && fitAt(replaced, fit) };
    if (folded(replaced) === folded(named) && (await exists(uri))) throw notReplaced(uri);
  }
  return { ...newFile(vscode.Uri.joinPath(folder, named), targets), fit };
}

/** What is stated for it. Where its name is taken in another format, it's written in the one that it names. */
function fitOf({ target, fit }: Due['render'], state: Due['state']): FileFit | undefined {
  const isNameTaken = state.state === 'missing' && state.isNameTaken;
  const stated = fit ?? (isNameTaken ? ({ mode: 'cover' } as const) : undefined);
  return stated && fitAt(target, stated);
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
