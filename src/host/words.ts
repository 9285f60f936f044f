import * as vscode from 'vscode';
import { reasonOf } from '../base/errors';
import { redact } from '../base/log';
import { ServiceError } from '../catalog/errors';
import { plain } from './plain';

/** What a person reads of a failure: it names the thing and the next step, and is fit for a notification. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ServiceError) return serviceSentence(error);
  return vscode.l10n.t('Something went wrong: {0}. The log says more.', said(reasonOf(error)));
}

function serviceSentence(error: ServiceError): string {
  const words = error.serviceMessage === undefined ? undefined : said(error.serviceMessage);
  switch (error.kind) {
    case 'invalidInput':
      return words === undefined
        ? vscode.l10n.t('The service does not accept one of the inputs. Check the fields of the form.')
        : vscode.l10n.t('The service does not accept one of the inputs: {0}. Check the fields of the form.', words);
    case 'keyRefused':
      return vscode.l10n.t('The service refuses the API key: it is wrong or was revoked. Change the key to go on.');
    case 'balanceTooLow':
      return vscode.l10n.t('The balance is too low for this render. Add money to the account, then try again.');
    case 'dailyCap':
      return vscode.l10n.t('The daily cap of this API key is reached. Try again tomorrow, or use another key.');
    case 'tooManyRequests':
      return vscode.l10n.t('The service asks for fewer requests. Wait a moment, then try again.');
    case 'status':
      return statusSentence(error, words);
    case 'unreadable':
      return vscode.l10n.t(
        'The answer is not what the service’s specification says. Check the address; the log says more.',
      );
    case 'noAnswer':
      return vscode.l10n.t('The service does not answer. Check the connection and the address, then try again.');
    case 'tooLarge':
      return vscode.l10n.t('The answer of the service is too large to be read safely.');
    case 'cancelled':
      return vscode.l10n.t('Cancelled.');
    case 'notAllowed':
      return vscode.l10n.t('The request was not sent: {0}.', said(error.message));
  }
}

function statusSentence(error: ServiceError, words: string | undefined): string {
  const status = String(error.status ?? '?');
  if (error.status === 404)
    return vscode.l10n.t('The service does not know this any more (404). Refresh the list, then try again.');
  if (error.status !== undefined && error.status >= 500) {
    return vscode.l10n.t('The service has a problem of its own (status {0}). Try again in a while.', status);
  }
  if (error.status !== undefined && error.status >= 300 && error.status < 400) {
    return vscode.l10n.t('The address answers with a redirection (status {0}). Enter the address it leads to.', status);
  }
  return words === undefined
    ? vscode.l10n.t('The service answers with status {0}.', status)
    : vscode.l10n.t('The service answers with status {0}: {1}', status, words);
}

/** Foreign words inside a sentence: one safe line, no closing full stop, nothing shaped like a key. */
function said(text: string): string {
  return plain(redact(text)).replace(/[.\s]+$/, '');
}
