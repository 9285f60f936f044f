import * as vscode from 'vscode';
import { reasonOf } from '../base/errors';
import { redact } from '../base/log';
import { countdownWords } from '../base/moment';
import { ServiceError, type FieldProblem } from '../catalog/errors';
import { LedgerError } from '../renders/ledgerError';
import { plain } from './plain';
import { UserError } from './userError';

/** What a person reads of a failure: it names the thing and the next step, and is fit for a notification. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ServiceError) return serviceSentence(error);
  if (error instanceof UserError) return error.message;
  if (error instanceof LedgerError) return ledgerSentence(error);
  return vscode.l10n.t('Something went wrong: {0}. The log says more.', said(reasonOf(error)));
}

function serviceSentence(error: ServiceError): string {
  const words = error.serviceMessage === undefined ? undefined : said(error.serviceMessage);
  switch (error.kind) {
    case 'invalidInput':
      return fieldSentence(error.fields, words);
    case 'keyRefused':
    case 'balanceTooLow':
    case 'dailyCap':
      return refusalSentence(error.kind);
    case 'tooManyRequests':
      return vscode.l10n.t('The service asks for fewer requests. Wait a moment, then try again.');
    case 'status':
      return statusSentence(error, words);
    case 'unreadable':
      return error.html
        ? webPageSentence()
        : vscode.l10n.t(
            'The answer is not what the service’s specification says. Check the address; the log says more.',
          );
    case 'noAnswer':
      return noAnswerSentence(error.systemCode ?? '');
    case 'tooLarge':
      return vscode.l10n.t('The answer of the service is too large to be read safely.');
    case 'cancelled':
      return vscode.l10n.t('Cancelled.');
    case 'notAllowed':
      return vscode.l10n.t('The request was not sent: {0}.', said(error.message));
  }
}

function webPageSentence(): string {
  return vscode.l10n.t(
    'A web page answers in place of the service. Check the address, and whether your network asks you to sign in first.',
  );
}

/** The system's own word for what went wrong, where it tells the person what to look at. */
function noAnswerSentence(systemCode: string): string {
  if (systemCode === 'ENOTFOUND') {
    return vscode.l10n.t('There is no such host. Check the address for a typing error, and your connection.');
  }
  if (systemCode === 'ECONNREFUSED') {
    return vscode.l10n.t('Nothing answers at this address. Check the port, and whether the service is running.');
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL/.test(systemCode)) {
    return vscode.l10n.t(
      'The connection is not safe: the certificate is not accepted ({0}). Check the address, the clock of this computer and its certificates.',
      systemCode,
    );
  }
  return vscode.l10n.t('The service does not answer. Check the connection and the address, then try again.');
}

/** What the service refuses, whatever was asked of it. */
/** What a proven refusal says. */
export function refusalSentence(code: 'keyRefused' | 'balanceTooLow' | 'dailyCap'): string {
  switch (code) {
    case 'keyRefused':
      return vscode.l10n.t('The service refuses the API key: it is wrong or was revoked. Change the key to go on.');
    case 'balanceTooLow':
      return vscode.l10n.t('The balance is too low for this render. Add money to the account, then try again.');
    case 'dailyCap':
      return vscode.l10n.t('The daily cap of this API key is reached. Try again tomorrow, or use another key.');
  }
}

function statusSentence(error: ServiceError, words: string | undefined): string {
  const status = String(error.status ?? '?');
  if (error.status === 404)
    return vscode.l10n.t('The service does not know this any more (404). Refresh the list, then try again.');
  if (error.status !== undefined && error.status >= 500) {
    return vscode.l10n.t('The service has a problem of its own (status {0}). Try again in a while.', status);
  }
  if (error.html) return webPageSentence();
  if (error.status !== undefined && error.status >= 300 && error.status < 400) {
    return vscode.l10n.t('The address answers with a redirection (status {0}). Enter the address it leads to.', status);
  }
  return words === undefined
    ? vscode.l10n.t('The service answers with status {0}.', status)
    : vscode.l10n.t('The service answers with status {0}: {1}', status, words);
}

/** Foreign words inside a sentence: one safe line, no closing full stop, nothing shaped like a key. */
export function said(text: string): string {
  return plain(redact(text)).replace(/[.\s]+$/, '');
}

/** That the service asks to be left alone, and for how long still. */
export function waitSentence(seconds: number): string {
  return vscode.l10n.t('The service asks to wait: {0}', countdownWords(seconds));
}

/** Why there is no ledger to record renders in; without one nothing is sent. */
export function ledgerSentence(error: LedgerError): string {
  switch (error.code) {
    case 'unavailable':
      return vscode.l10n.t(
        'The list of renders cannot be opened, so nothing is sent: {0}. Check the disk and its permissions, then reload the window.',
        said(reasonOf(error)),
      );
    case 'newer':
      return vscode.l10n.t(
        'The list of renders was written by a newer version of Model Catalog, so nothing is sent. Update the extension.',
      );
    case 'damaged':
      return vscode.l10n.t('The list of renders is damaged, so nothing is sent. Reload the window to begin a new one.');
    case 'setAside':
      return vscode.l10n.t(
        'The list of renders was damaged, and another window has begun a new one, so nothing new is sent from this window. Reload it once the renders under way here have ended.',
      );
    case 'full':
      return vscode.l10n.t(
        'The disk is full, so the render could not be recorded and was not sent. Make room, then try again.',
      );
    case 'altered':
      return vscode.l10n.t(
        'The record of this render was altered on disk, so it is not sent. Render it anew from its model.',
      );
  }
}

/** What the service says of which field; `detail` are its own words where it names none. */
export function fieldSentence(problems: readonly FieldProblem[], detail: string | undefined): string {
  const fields = problems.map(({ field, message }) => `${said(field)}: ${said(message)}`).join('; ');
  const words = fields === '' ? detail : plain(fields, 400);
  return words === undefined
    ? vscode.l10n.t('The service does not accept one of the inputs. Check the fields of the form.')
    : vscode.l10n.t('The service does not accept one of the inputs: {0}. Check the fields of the form.', words);
}
