import * as vscode from 'vscode';
import type { Problem } from '../renders/record';
import { fieldSentence, refusalSentence, said } from './words';

/** Why a render is where it is. Says nothing of money that the problem itself does not prove. */
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
      return vscode.l10n.t('The service asks for fewer requests.');
    case 'noAnswer':
      return vscode.l10n.t('The service does not answer. Check the connection.');
    case 'unreadable':
      return vscode.l10n.t('The answer is not what the service’s specification says. The log says more.');
    case 'tooOld':
      return vscode.l10n.t(
        'Too much time has passed to send it again safely. Compare with the service to see whether it was charged.',
      );
    case 'otherAccount':
      return vscode.l10n.t(
        'The render belongs to another account. Connect with that account’s address and API key to go on.',
      );
    case 'twoFound':
      return vscode.l10n.t(
        'The service lists more than one render that this could be: {0}. Compare them and decide.',
        detail ?? '…',
      );
    case 'noContent':
      return vscode.l10n.t('The service says the render succeeded but gives no result. Use “Download Again”.');
    case 'emptyFile':
      return vscode.l10n.t('The service sent an empty file. Use “Download Again”.');
    case 'cutFile':
      return vscode.l10n.t('The file arrived cut short and was not kept. Use “Download Again”.');
    case 'diskFull':
      return vscode.l10n.t('The disk is full. Make room, then try again; the result is kept.');
    case 'notWritable':
      return vscode.l10n.t(
        'The folder cannot be written to. Change its permissions or choose another; the result is kept.',
      );
    case 'outsideFolder':
      return vscode.l10n.t(
        'The output folder leads out of the workspace folder. Choose one inside it, or save the result elsewhere.',
      );
    case 'folderGone':
      return vscode.l10n.t('The folder the render was started for is not there any more. Save the result elsewhere.');
    case 'noFolder':
      return vscode.l10n.t('No folder was open. Save the result where you want it.');
    case 'serviceSays':
      return detail === undefined
        ? vscode.l10n.t('The service gives no reason.')
        : vscode.l10n.t('The service says: {0}.', detail);
    case 'notRecorded':
      return vscode.l10n.t(
        'The render could not be recorded safely, so it was not sent. Check the disk, then try again.',
      );
    case 'altered':
      return vscode.l10n.t('The render’s record on disk was altered, so it is not sent.');
    case 'gone':
      return vscode.l10n.t('The service does not know this render any more.');
  }
}
