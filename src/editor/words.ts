import * as vscode from 'vscode';
import { reasonOf, redact } from '../base/log';
import { formatCents } from '../base/format';
import { formatSize, formatNames } from '../base/numbers';
import { oneLine, plain } from '../base/plain';
import { type FieldProblem, type ProxyFailure, ServiceError } from '../catalog/errors';
import { englishIssueStrings, type FieldIssue, issueText } from '../catalog/fields';
import type { Fit } from '../files/fit/fit';
import { fileNameOf } from '../files/names';
import { FileProblem } from '../files/problem';
import { largestFile, largestSidecar, type Unread } from '../files/provenance';
import { NotReplaced } from '../files/replacement';
import { LedgerError } from '../renders/ledgerError';
import { BudgetError, SettingError } from '../renders/budget';
import { InputError, OrderError } from '../renders/orderError';
import type { Problem } from '../renders/record';
import { Undelivered } from '../renders/undelivered';
import { limitSetting, openLimit, openUnreadable } from './openLimit';
import { commands, oldSettingIds } from './ids';
import { type Remedy, UserError } from './userError';

/** The message for a failure: it names the problem and the next step, and is fit for a notification. */
export function sentenceOf(error: unknown): string {
  return (
    ownSentence(error) ??
    vscode.l10n.t('Something went wrong: {0}. See the log for details.', foreignText(reasonOf(error)))
  );
}

/** Undefined for errors that only the log explains. */
function ownSentence(error: unknown): string | undefined {
  if (error instanceof ServiceError) return serviceSentence(error);
  if (error instanceof UserError) return error.message;
  if (error instanceof LedgerError) return ledgerSentence(error);
  if (error instanceof OrderError) return orderSentence(error);
  if (error instanceof BudgetError) return budgetSentence(error);
  if (error instanceof SettingError) return settingSentence(error);
  if (error instanceof InputError) return inputSentence(error);
  return undefined;
}

function serviceSentence(error: ServiceError): string {
  const words = error.serviceMessage === undefined ? undefined : foreignText(error.serviceMessage);
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
      return error.proxy ? proxySentence(error.proxy, error.systemCode) : noResponseSentence(error.systemCode ?? '');
    case 'tooLarge':
      return vscode.l10n.t('The service’s response is too large to read safely.');
    case 'cancelled':
      return vscode.l10n.t('Canceled.');
    case 'imageGone':
      return vscode.l10n.t('“{0}” is no longer available. Choose it again.', words ?? '');
    case 'inputsTooLarge':
      return vscode.l10n.t('The inputs are too large to send together. Use smaller or fewer images.');
    case 'notAllowed':
      return vscode.l10n.t('The request wasn’t sent: {0}.', foreignText(error.message));
  }
}

function webPageSentence(): string {
  return vscode.l10n.t(
    'A web page responded instead of the service. Check the URL, and whether your network requires you to sign in first.',
  );
}

/** The system's own message, where it tells the user what to check. */
function noResponseSentence(systemCode: string): string {
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
  const shown = foreignText(name);
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
function refusalSentence(code: 'keyRefused' | 'balanceTooLow' | 'dailyCap'): string {
  switch (code) {
    case 'keyRefused':
      return vscode.l10n.t('The service rejected the API key. To continue, set a valid one.');
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
export function foreignText(text: string): string {
  return plain(redact(text)).replace(/[.\s]+$/, '');
}

/** Why there is no ledger to record renders in; without one nothing is sent. */
export function ledgerSentence(error: LedgerError): string {
  switch (error.code) {
    case 'unavailable':
      return vscode.l10n.t(
        'Couldn’t open the render history, so nothing is sent: {0}. Check the disk and its permissions, then reload the window.',
        foreignText(reasonOf(error)),
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
function fieldSentence(problems: readonly FieldProblem[], detail: string | undefined): string {
  const fields = problems.map(({ field, message }) => `${foreignText(field)}: ${foreignText(message)}`).join('; ');
  const words = fields === '' ? detail : plain(fields, 400);
  return words === undefined
    ? vscode.l10n.t('The service rejected one of the inputs. Check the fields in the form.')
    : vscode.l10n.t('The service rejected one of the inputs: {0}. Check the fields in the form.', words);
}

/** An amount in the user's locale. */
export function money(cents: number): string {
  return formatCents(cents, vscode.env.language);
}

/** For whoever gives an image as only our own UI does. */
export function keptImageSentence(): string {
  return vscode.l10n.t('An image can’t be given by its hash. Give its path, its URL, or a data URL.');
}

/** Why a render is in its state. Says nothing about money beyond what the problem proves. */
export function problemSentence(problem: Problem): string {
  const detail = problem.detail === undefined ? undefined : foreignText(problem.detail);
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

/** Runs `deliver`, and rejects with a message for the user when a result couldn't be delivered. */
export async function explainUndelivered<T>(deliver: () => Promise<T>): Promise<T> {
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

/** The time since a render was ordered: "12 s", "3 min". */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 90 ? vscode.l10n.t('{0} s', seconds) : vscode.l10n.t('{0} min', Math.floor(seconds / 60));
}

/** A usual duration, ms, to the second: at least "1 s". */
export function about(ms: number): string {
  return elapsed(1000 * Math.max(1, Math.round(ms / 1000)));
}

/** What an image will be fitted to, such as “fits to 1200 × 630”; undefined if it's saved as it comes. */
export function fitWords(fit: Fit | undefined): string | undefined {
  if (!fit) return undefined;
  const { width, height, mode } = fit;
  if (width !== undefined && height !== undefined)
    return mode === 'contain'
      ? vscode.l10n.t('fits into {0} × {1}', String(width), String(height))
      : vscode.l10n.t('fits to {0} × {1}', String(width), String(height));
  if (width !== undefined) return vscode.l10n.t('fits to a width of {0}', String(width));
  return height === undefined
    ? vscode.l10n.t('fits to the file extension')
    : vscode.l10n.t('fits to a height of {0}', String(height));
}

/** The same as a value: “1200 × 630, WEBP”; “–” without one. */
export function sizeWords(fit: (Fit & { readonly format?: string }) | undefined): string {
  if (!fit) return '–';
  const { width, height, mode, format } = fit;
  const size = width === undefined && height === undefined ? undefined : `${width ?? '…'} × ${height ?? '…'}`;
  return [size, mode === 'contain' ? mode : undefined, format?.toUpperCase()].filter(Boolean).join(', ');
}

/** Says which parts of a file couldn't be read to find out how it was made, and what to do, in whole sentences. */
export function unreadWords(file: vscode.Uri, unread: readonly Unread[]): string[] {
  const name = plain(fileNameOf(file.toString()), 60);
  return unread.map((part) => {
    switch (part) {
      case 'largeFile':
        return vscode.l10n.t(
          '“{0}” is larger than {1}, so its metadata can’t be read here. Open it in another program to see it.',
          name,
          formatSize(largestFile, vscode.env.language),
        );
      case 'largeSidecar':
        return vscode.l10n.t(
          'The sidecar file of “{0}” is larger than {1}, so it can’t be read. Restore an earlier version, or delete it.',
          name,
          formatSize(largestSidecar, vscode.env.language),
        );
      case 'brokenSidecar':
        return vscode.l10n.t(
          'The sidecar file of “{0}” is damaged, so it can’t be read. Restore an earlier version, or delete it.',
          name,
        );
    }
  });
}

/** What is wrong with a value of a field, in the words that the form has for it. */
export function issueSentence(issue: FieldIssue): string {
  const { language } = vscode.env;
  const [key, ...parts] = issueText(issue, {
    size: (bytes) => formatSize(bytes, language),
    formats: (types) => formatNames(types, language),
  });
  return vscode.l10n.t(englishIssueStrings[key], ...parts);
}

/** The remedy for any failure; undefined when none is known. */
export function remedyOf(error: unknown): Remedy | undefined {
  if (error instanceof BudgetError)
    return { title: vscode.l10n.t('Change Limit'), run: () => openLimit(error.budget.name, error.root) };
  if (error instanceof SettingError)
    return { title: vscode.l10n.t('Open Setting'), run: () => openUnreadable(error.setting) };
  if (error instanceof UserError) return error.remedy;
  const isUnread = error instanceof ServiceError && error.kind === 'unreadable' && !error.html;
  if (ownSentence(error) !== undefined && !isUnread) return undefined;
  return { title: vscode.l10n.t('Show Log'), run: () => vscode.commands.executeCommand(commands.showLog) };
}

function budgetSentence({ budget: { name, limit = 0, committed }, root }: BudgetError): string {
  const language = vscode.env.language;
  return vscode.l10n.t(
    'Not sent, nothing charged. This render would exceed the {0} limit set in modelCatalog.{1}, of which {2} is used. To continue, raise the limit.',
    formatCents(limit, language),
    limitSetting(name, root),
    formatCents(committed, language),
  );
}

function settingSentence({ setting }: SettingError): string {
  return vscode.l10n.t(
    'Not sent or charged, because the setting modelCatalog.{0} can’t be read. Enter an amount such as {1}.',
    setting,
    // Under an old name, it's in cents.
    (Object.values(oldSettingIds) as string[]).includes(setting) ? '50' : '0.50',
  );
}

function inputSentence({ field, issue }: InputError): string {
  return vscode.l10n.t('{0}: {1}', oneLine(field.label, 60), issueSentence(issue));
}

/** Nothing was recorded, so nothing was sent: that much is proven. */
function orderSentence({ code, cause }: OrderError): string {
  switch (code) {
    case 'notConnected':
      return vscode.l10n.t('Not sent, nothing charged. Connect to a service, then render again.');
    case 'otherAccount':
      return vscode.l10n.t(
        'Not sent, nothing charged. The account has changed since the price was shown. Check the new price, then render again.',
      );
    case 'imageGone':
      return vscode.l10n.t(
        'Not sent, nothing charged. An image among the inputs is no longer available. Choose it again, then render.',
      );
    case 'modelGone':
      return vscode.l10n.t(
        'Not sent, nothing charged. This model can’t be read, and without a new seed it would make the same image.',
      );
    case 'notRecorded':
      return cause instanceof LedgerError
        ? ledgerSentence(cause)
        : vscode.l10n.t(
            'Not sent, nothing charged. The render couldn’t be recorded safely. Check the disk, then try again.',
          );
  }
}
