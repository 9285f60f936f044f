import * as vscode from 'vscode';
import { reasonOf } from '../base/errors';
import { redact } from '../base/log';
import { formatCents } from '../base/money';
import { ServiceError, type FieldProblem, type ProxyFailure } from '../catalog/errors';
import { LedgerError } from '../renders/ledgerError';
import { plain } from '../base/plain';
import { UserError } from './userError';

/** The message for a failure: it names the problem and the next step, and is fit for a notification. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ServiceError) return serviceSentence(error);
  if (error instanceof UserError) return error.message;
  if (error instanceof LedgerError) return ledgerSentence(error);
  return vscode.l10n.t('Something went wrong: {0}. See the log for details.', said(reasonOf(error)));
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
      return vscode.l10n.t('Too many requests. Wait a moment, then try again.');
    case 'status':
      return statusSentence(error, words);
    case 'unreadable':
      return error.html
        ? webPageSentence()
        : vscode.l10n.t('The response isn’t in the expected format. Check the URL, and see the log for details.');
    case 'noAnswer':
      return error.proxy ? proxySentence(error.proxy, error.systemCode) : noAnswerSentence(error.systemCode ?? '');
    case 'tooLarge':
      return vscode.l10n.t('The service’s response is too large to read safely.');
    case 'cancelled':
      return vscode.l10n.t('Canceled.');
    case 'imageGone':
      return vscode.l10n.t('“{0}” is no longer available. Choose it again.', words ?? '');
    case 'inputsTooLarge':
      return vscode.l10n.t('The inputs are too large to send together. Use smaller or fewer images.');
    case 'notAllowed':
      return vscode.l10n.t('The request wasn’t sent: {0}.', said(error.message));
  }
}

function webPageSentence(): string {
  return vscode.l10n.t(
    'A web page responded instead of the service. Check the URL, and whether your network requires you to sign in first.',
  );
}

/** The system's own message, where it tells the person what to check. */
function noAnswerSentence(systemCode: string): string {
  if (systemCode === 'ENOTFOUND') {
    return vscode.l10n.t('Host not found. Check the URL for typos, and check your connection.');
  }
  if (systemCode === 'ECONNREFUSED') {
    return vscode.l10n.t('Nothing responds at this URL. Check the port, and whether the service is running.');
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL/.test(systemCode)) {
    return vscode.l10n.t(
      'The connection isn’t secure: the certificate isn’t trusted ({0}). Check the URL and this computer’s clock and certificates.',
      systemCode,
    );
  }
  return vscode.l10n.t('The service isn’t responding. Check your connection and the URL, then try again.');
}

function proxySentence({ name, isUsable, status }: ProxyFailure, systemCode: string | undefined): string {
  const shown = said(name);
  if (!isUsable) {
    return vscode.l10n.t(
      'The proxy “{0}” can’t be used. Set http.proxy to a URL such as `http://proxy.example:8080`; `https` and `socks5` work too.',
      shown,
    );
  }
  if (status === 407)
    return vscode.l10n.t(
      'The proxy {0} requires a user name and password (407). Add them to the http.proxy setting.',
      shown,
    );
  if (status !== undefined)
    return vscode.l10n.t('The proxy {0} blocked the request (HTTP {1}). Check the http.proxy setting.', shown, status);
  return systemCode === 'ENOTFOUND'
    ? vscode.l10n.t('The proxy {0} wasn’t found. Check the http.proxy setting or the HTTPS_PROXY variable.', shown)
    : vscode.l10n.t('The proxy {0} isn’t responding. Check the http.proxy setting or the HTTPS_PROXY variable.', shown);
}

/** Why the service rejected a request for a reason that affects every other one too. */
export function refusalSentence(code: 'keyRefused' | 'balanceTooLow' | 'dailyCap'): string {
  switch (code) {
    case 'keyRefused':
      return vscode.l10n.t(
        'The service rejected the API key. It’s wrong or has been revoked. To continue, set a valid key.',
      );
    case 'balanceTooLow':
      return vscode.l10n.t('Your balance is too low for this render. Add funds to your account, then try again.');
    case 'dailyCap':
      return vscode.l10n.t('This API key has reached its daily cap. Try again tomorrow, or use another key.');
  }
}

function statusSentence(error: ServiceError, words: string | undefined): string {
  const status = String(error.status ?? '?');
  if (error.status === 404)
    return vscode.l10n.t('The service no longer has this item (404). Refresh the list, then try again.');
  if (error.status !== undefined && error.status >= 500) {
    return vscode.l10n.t('The service has a problem (HTTP {0}). Try again later.', status);
  }
  if (error.html) return webPageSentence();
  if (error.status !== undefined && error.status >= 300 && error.status < 400) {
    return vscode.l10n.t('The URL redirects (HTTP {0}). Enter the URL it redirects to.', status);
  }
  return words === undefined
    ? vscode.l10n.t('The service responded with HTTP {0}.', status)
    : vscode.l10n.t('The service responded with HTTP {0}: {1}', status, words);
}

/** Foreign text inside a sentence: a single safe line, without a final full stop or anything shaped like a key. */
export function said(text: string): string {
  return plain(redact(text)).replace(/[.\s]+$/, '');
}

/** Why there is no ledger to record renders in; without one nothing is sent. */
export function ledgerSentence(error: LedgerError): string {
  switch (error.code) {
    case 'unavailable':
      return vscode.l10n.t(
        'Couldn’t open the render history, so nothing is sent: {0}. Check the disk and its permissions, then reload the window.',
        said(reasonOf(error)),
      );
    case 'inUse':
      return vscode.l10n.t(
        'Another window, perhaps on another computer, is using the render history, so nothing is sent. Close that window, then try again.',
      );
    case 'newer':
      return vscode.l10n.t(
        'The render history was written by a newer version of Model Catalog, so nothing is sent. Update the extension.',
      );
    case 'damaged':
      return vscode.l10n.t('The render history is damaged, so nothing is sent. Reload the window to start a new one.');
    case 'setAside':
      return vscode.l10n.t(
        'The render history was damaged, and another window has started a new one. Nothing new is sent from this window. Reload it when the renders in progress here have finished.',
      );
    case 'gone':
      return vscode.l10n.t(
        'The render history was deleted, moved, or replaced on disk. Nothing new is sent from this window, and nothing is charged. Put it back, or reload the window to start a new history once the renders in progress here have finished.',
      );
    case 'full':
      return vscode.l10n.t(
        'The disk is full, so the render couldn’t be recorded and wasn’t sent. Free up space, then try again.',
      );
    case 'altered':
      return vscode.l10n.t(
        'The render’s record on disk was altered, so it won’t be sent. Start a new render from the model.',
      );
  }
}

/** The service's message for each field; `detail` is its own message if it names none. */
export function fieldSentence(problems: readonly FieldProblem[], detail: string | undefined): string {
  const fields = problems.map(({ field, message }) => `${said(field)}: ${said(message)}`).join('; ');
  const words = fields === '' ? detail : plain(fields, 400);
  return words === undefined
    ? vscode.l10n.t('The service rejected one of the inputs. Check the fields in the form.')
    : vscode.l10n.t('The service rejected one of the inputs: {0}. Check the fields in the form.', words);
}

/** An amount in the person's locale. */
export function money(cents: number): string {
  return formatCents(cents, vscode.env.language);
}
