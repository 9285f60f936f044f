import * as vscode from 'vscode';
import { ServiceError } from '../catalog/errors';
import { FileProblem } from '../files/problem';
import { NotReplaced } from '../files/replacement';
import type { Problem } from '../renders/record';
import { fileNameOf } from '../files/fileName';
import { plain } from '../base/plain';
import { UserError } from './userError';
import { Undelivered } from '../renders/undelivered';
import { fieldSentence, refusalSentence, said } from './words';

/** For whoever gives an image as only our own UI does. */
export function keptImageSentence(): string {
  return vscode.l10n.t('An image can’t be given by its hash. Give its path, its URL, or a data URL.');
}

/** Why a render is in its state. Says nothing about money beyond what the problem proves. */
export function problemSentence(problem: Problem): string {
  const detail = problem.detail === undefined ? undefined : said(problem.detail);
  switch (problem.code) {
    case 'invalidInput':
      return fieldSentence(problem.fields ?? [], detail);
    case 'keyRefused':
    case 'balanceTooLow':
    case 'dailyCap':
      return refusalSentence(problem.code);
    case 'tooManyRequests':
      return vscode.l10n.t('Too many requests.');
    case 'noAnswer':
      return vscode.l10n.t('The service isn’t responding. Check your connection.');
    case 'unreadable':
      return vscode.l10n.t('The response isn’t in the expected format. See the log for details.');
    case 'tooOld':
      return vscode.l10n.t(
        'Too much time has passed to send it again safely. Check with the service to see whether it was charged.',
      );
    case 'otherAccount':
      return vscode.l10n.t(
        'This render was started with another API key or service URL. Connect with those to continue.',
      );
    case 'twoFound':
      return vscode.l10n.t(
        'The service lists several renders that this could be: {0}. Check them in your account.',
        detail ?? '…',
      );
    case 'oneFound':
      return vscode.l10n.t(
        'The service lists a render that this could be: {0}. Check it before you render again.',
        detail ?? '…',
      );
    case 'contradicted':
      return vscode.l10n.t(
        'The service responded with another render, {0}, of another model or other inputs. Check it in your account.',
        detail ?? '…',
      );
    case 'noContent':
      return detail === undefined
        ? vscode.l10n.t('The service hasn’t sent the result.')
        : vscode.l10n.t('The service hasn’t sent the result. It says: {0}.', detail);
    case 'emptyFile':
      return vscode.l10n.t('The service sent an empty file.');
    case 'cutFile':
      return vscode.l10n.t('The file arrived incomplete and wasn’t kept.');
    case 'notResult':
      return detail === undefined
        ? vscode.l10n.t('The service sent text instead of the result.')
        : vscode.l10n.t('The service sent text instead of the result: “{0}”.', detail);
    case 'webPage':
      return vscode.l10n.t(
        'A web page arrived instead of the result. Check whether your network requires you to sign in.',
      );
    case 'redirected':
      return vscode.l10n.t(
        'The service redirects to {0} instead of sending the result. Redirects aren’t followed, to protect your API key.',
        detail ?? '…',
      );
    case 'diskFull':
      return vscode.l10n.t('There isn’t enough free space on the disk. Free up space, then try again.');
    case 'diskFailed':
      return vscode.l10n.t('The disk reported a problem: {0}.', detail ?? '…');
    case 'notWritable':
      return vscode.l10n.t('Can’t write to the folder. Change the folder’s permissions, or choose another.');
    case 'outsideFolder':
      return vscode.l10n.t(
        'The output folder is outside the workspace folder. Choose one inside it, or save the result elsewhere.',
      );
    case 'folderGone':
      return vscode.l10n.t('The target folder no longer exists. Save the result elsewhere.');
    case 'tooLargeThere':
      return vscode.l10n.t(
        'The result is too large to save in this workspace. To save it on this computer, use “Save As…”.',
      );
    case 'noFolder':
      return vscode.l10n.t('No folder was open. Choose where to save the result.');
    case 'serviceSays':
      return detail === undefined
        ? vscode.l10n.t('The service didn’t give a reason.')
        : vscode.l10n.t('The service says: {0}.', detail);
    case 'notRecorded':
      return vscode.l10n.t(
        'The render couldn’t be recorded safely, so it wasn’t sent. Check the disk, then try again.',
      );
    case 'altered':
      return vscode.l10n.t('The render’s record on disk was altered, so it won’t be sent.');
    case 'oddStatus':
      return vscode.l10n.t(
        'The service has said “{0}” for longer than such renders take. Check in your account whether it was charged.',
        detail ?? '…',
      );
    case 'gone':
      return vscode.l10n.t('The service no longer has this render.');
    case 'sameId':
      return vscode.l10n.t(
        'The service gave this render the same ID as another one, {0}. Check both in your account.',
        detail ?? '…',
      );
  }
}

/** Why a render wasn't ordered: its result couldn't be saved in that place, a folder or a file. */
export function impossibleSentence({ code }: FileProblem, place: string): string {
  const name = plain(place, 80);
  return code === 'outsideFolder'
    ? vscode.l10n.t(
        'Not sent, nothing charged. A link leads to “{0}”, and results are saved only inside the workspace folder. Choose another folder.',
        name,
      )
    : vscode.l10n.t(
        'Not sent, nothing charged. Results can’t be saved at “{0}” because it’s a link, no longer exists, or can’t be read. Choose another location.',
        name,
      );
}

/** Why a file wasn't replaced, and where the earlier one is if it was moved. */
export function notReplacedSentence({ code, file, earlier }: NotReplaced): string {
  const name = plain(fileNameOf(file), 60);
  if (code === 'readOnly')
    return vscode.l10n.t('“{0}” is read-only, so it wasn’t replaced. Make it writable or choose another name.', name);
  return earlier === undefined
    ? vscode.l10n.t('“{0}” has just changed, so it wasn’t replaced. Check the file, then try again.', name)
    : vscode.l10n.t(
        'Couldn’t replace “{0}”. The earlier file is now called “{1}”, in the same folder.',
        name,
        plain(fileNameOf(earlier), 80),
      );
}

/** Runs `deliver`, and rejects with a message for the person when a result couldn't be delivered. */
export async function told<T>(deliver: () => Promise<T>): Promise<T> {
  try {
    return await deliver();
  } catch (error) {
    if (error instanceof FileProblem) throw new UserError(problemSentence(error), { cause: error });
    if (error instanceof ServiceError && error.leadsTo !== undefined)
      throw new UserError(problemSentence({ code: 'redirected', detail: error.leadsTo }), { cause: error });
    if (error instanceof NotReplaced) throw new UserError(notReplacedSentence(error), { cause: error });
    if (error instanceof Undelivered) throw new UserError(problemSentence(error.problem), { cause: error });
    throw error;
  }
}
