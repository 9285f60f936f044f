import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { plain } from '../../base/plain';
import { refitOf } from './model/refits';
import { UserError } from '../../editor/userError';
import { fileNameOf } from '../../files/fileName';
import { tellingOf } from '../../files/telling';
import type { Images } from '../../renderFiles/givenFiles';
import { stateOf } from '../../renderFiles/states';
import { NotFitted } from '../../renders/refitting';
import type { Foundation } from '../../foundation';
import { showProblem } from '../../editor/commands';
import { acceptUnchanged } from '../compare/stagedResults';
import { checkSaved } from '../../editor/checkSaved';
import { readable } from '../rendering/fileOrigin';
import { told } from '../../editor/problemWords';
import type { Renders } from '../rendering/renders';
import type { Settings } from '../../editor/settings';
import { sentenceOf } from '../../editor/words';
import { entryTarget, type Due } from './entryTarget';
import { isIn, partOf } from './part';
import type { RenderFiles } from './renderFiles';

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
  files: Pick<RenderFiles, 'picturesOf'>,
  renders: Renders,
  settings: Pick<Settings, 'provenance'>,
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
async function fitOne(
  due: Due,
  images: Images,
  renders: Renders,
  settings: Pick<Settings, 'provenance'>,
): Promise<boolean> {
  const { render, state, folder } = due;
  if (state.state !== 'stale') return false;
  const file = vscode.Uri.joinPath(folder, state.file);
  const name = plain(fileNameOf(file.toString()), 60);
  checkSaved(file.toString());
  const read = await readable(file, renders.log);
  const telling = await tellingOf(read, systemClock);
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
