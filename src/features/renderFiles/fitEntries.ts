import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { plain } from '../../base/plain';
import { checkSaved } from '../../editor/workspaceFiles';
import { showProblem } from '../../editor/commands';
import { exists } from '../../editor/exists';
import type { Settings } from '../../editor/settings';
import { UserError } from '../../editor/userError';
import { sentenceOf, told } from '../../editor/words';
import { fileNameOf, folded } from '../../files/names';
import { fileMetadataOf } from '../../files/provenance';
import type { Foundation } from '../../foundation';
import type { Images } from '../../renderFiles/givenFiles';
import { baseOf, newImageOf } from '../../renderFiles/targets';
import { stateOf, type StateOf } from '../../renderFiles/states';
import type { Target } from '../../renders/record';
import { NotFitted } from '../../renders/refitting';
import { acceptUnchanged } from '../compare/stagedResults';
import { readable } from '../rendering/fileOrigin';
import type { Renders } from '../rendering/renders';
import type { Targets } from '../rendering/targets';
import { refitOf } from './model/pendingImages';
import type { RenderFiles } from './renderFiles';
import { isIn, partOf } from './renderFilesTree';

/**
 * Fits stale images again that need nothing else, of a render file, an entry, or an image (a URI and an entry, or a row
 * of the view). Nothing is ordered or charged.
 */
export async function fitEntries(
  where: unknown,
  entry: unknown,
  files: RenderFiles,
  foundation: Foundation,
): Promise<void> {
  const part = partOf(where, entry);
  const read = part && (await files.read(await vscode.workspace.openTextDocument(part.uri)));
  if (!read) return;
  const { folder } = read;
  const due = read.states.filter(({ render, fitsAgain }) => fitsAgain && isIn(part, render));
  await fitAgain(
    due.map((one) => ({ ...one, folder })),
    files,
    await foundation.renders.get(),
    foundation.settings,
  );
}

/**
 * Fits these images again, one after the other, with progress if there are several. Each earlier file goes to the
 * trash. Reports what was done and what wasn't. Never rejects.
 */
export async function fitAgain(
  due: readonly Due[],
  files: RenderFiles,
  renders: Renders,
  settings: Settings,
): Promise<void> {
  const fitted: Due[] = [];
  const fit = async (one: Due) => {
    try {
      if (await fitOne(one, files.picturesOf(one.folder), renders, settings)) fitted.push(one);
    } catch (error) {
      // The others can be fitted all the same.
      void showProblem(sentenceOf(error));
    }
  };
  const options = { location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Fitting images') };
  if (due.length === 1) await Promise.all(due.map(fit));
  else
    await vscode.window.withProgress({ ...options, cancellable: true }, async (progress, token) => {
      for (const [index, one] of due.entries()) {
        if (token.isCancellationRequested) break;
        progress.report({ message: vscode.l10n.t('{0} of {1}', index, due.length) });
        await fit(one);
      }
    });
  tellFitted(fitted, due.length);
}

function tellFitted(fitted: readonly Due[], all: number): void {
  const [first] = fitted;
  if (!first) return;
  const done =
    all === 1
      ? vscode.l10n.t('Fitted “{0}” again, at no charge.', plain(fileNameOf(first.render.target), 60))
      : vscode.l10n.t('Fitted {0} of {1} images again, at no charge.', fitted.length, all);
  const earlier = vscode.l10n.t('Previous images are in the trash, or next to the new ones if there’s no trash.');
  void vscode.window.showInformationMessage(`${done} ${earlier}`);
}

/** False if the new image waits for review, since the current one can't be replaced. Rejects with UserError. */
async function fitOne(due: Due, images: Images, renders: Renders, settings: Settings): Promise<boolean> {
  const { render, state, folder } = due;
  if (state.state !== 'stale') return false;
  const file = vscode.Uri.joinPath(folder, state.file);
  const name = plain(fileNameOf(file.toString()), 60);
  checkSaved(file.toString());
  const read = await readable(file, renders.log);
  const telling = await fileMetadataOf(read, systemClock);
  const now = await stateOf(render, state.file, telling, images);
  const record = telling && (await refitOf({ render, state: now }, telling, renders, images));
  const target = await entryTarget({ render, state: now, folder }, renders.targets, settings);
  const { replaces } = target;
  if (!record || !read.whole || (replaces && replaces.sha256 !== read.whole.sha256))
    throw new UserError(
      vscode.l10n.t('“{0}” has just changed, so it wasn’t replaced. Check the file, then try again.', name),
    );
  const { key } = record;
  const { bytes } = read.whole;
  await told(() => renders.refitting.fitAgain(key, target, bytes)).catch((error: unknown) => {
    if (!(error instanceof NotFitted)) throw error;
    throw new UserError(vscode.l10n.t('“{0}” couldn’t be fitted. See the log for details.', name), { cause: error });
  });
  // It shows what was cropped before.
  await renders.thumbnails.forget(key);
  return replaces === undefined || (await acceptUnchanged([key], renders)) === 1;
}

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
