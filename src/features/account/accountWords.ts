import * as vscode from 'vscode';
import { dateWords, formatCents } from '../../base/format';
import { oneLine } from '../../base/plain';
import type { AddressProblem } from '../../catalog/address';
import type { ApiKeyProblem } from '../../catalog/apiKey';
import {
  CheckError,
  type CheckFinding,
  type CheckStep,
  expectedOf,
  type Heard,
  isMisread,
  type StepReport,
} from '../../catalog/connectionCheck';
import { ServiceError } from '../../catalog/errors';
import { foreignText, sentenceOf } from '../../editor/words';
import type { StorageProblem } from './model/apiKey';

/** Why a typed URL can't be used, and what to type instead. */
export function addressSentence(problem: AddressProblem): string {
  switch (problem) {
    case 'empty':
      return vscode.l10n.t('Enter the service URL, for example https://models.example.com.');
    case 'tooLong':
      return vscode.l10n.t('The URL is too long. Enter only https:// and the host name.');
    case 'whitespace':
      return vscode.l10n.t('A URL can’t contain spaces or line breaks.');
    case 'backslash':
      return vscode.l10n.t('A URL can’t contain backslashes. Use slashes: https://…');
    case 'scheme':
      return vscode.l10n.t('The URL must start with https://, or with http:// for a service on this computer.');
    case 'notAnAddress':
      return vscode.l10n.t('This isn’t a valid URL. Check the host name and port.');
    case 'httpNotLoopback':
      return vscode.l10n.t(
        'Over http://, anyone on the network path could read your API key. Use https:// unless the service runs on this computer.',
      );
    case 'userInfo':
      return vscode.l10n.t(
        'The URL can’t contain a user name or password. Remove everything up to and including the @.',
      );
    case 'query':
      return vscode.l10n.t('Remove the question mark and everything after it.');
    case 'hash':
      return vscode.l10n.t('Remove the # and everything after it.');
    case 'dots':
      return vscode.l10n.t('Enter the path without “.” and “..” parts.');
  }
}

/** Why a typed text can't be an API key. Never contains that text. */
export function apiKeySentence(problem: ApiKeyProblem): string {
  switch (problem) {
    case 'empty':
      return vscode.l10n.t('Enter the API key. You create it in your account settings at the service.');
    case 'lineBreak':
      return vscode.l10n.t('The key contains a line break. Copy only the key, then paste it again.');
    case 'whitespace':
      return vscode.l10n.t('The key contains a space. Copy only the key, then paste it again.');
    case 'control':
    case 'notAscii':
      return vscode.l10n.t('The key contains an invalid character. Copy it again, then paste it.');
    case 'prefix':
      return vscode.l10n.t('API keys for this service start with ai_live_.');
    case 'incomplete':
      return vscode.l10n.t('This is only part of a key. Copy the whole key, then paste it again.');
    case 'tooLong':
      return vscode.l10n.t('This is too long for an API key. Copy only the key, then paste it again.');
  }
}

/** Why the editor's secret storage can't keep the key, and what to do. */
export function storageSentence(problem: StorageProblem): string {
  switch (problem.why) {
    case 'missing':
      return vscode.l10n.t(
        'VS Code has no secret storage here, so the API key can’t be saved. The sandbox works without a key.',
      );
    case 'failed':
      return problem.detail === undefined
        ? vscode.l10n.t('Couldn’t access VS Code’s secret storage. Check your system’s keyring, then try again.')
        : vscode.l10n.t(
            'Couldn’t access VS Code’s secret storage: {0}. Check your system’s keyring, then try again.',
            foreignText(problem.detail),
          );
    case 'noAnswer':
      return vscode.l10n.t('VS Code’s secret storage isn’t responding. Unlock your system’s keyring, then try again.');
    case 'damaged':
      return vscode.l10n.t('The stored API key for this URL can’t be read. Enter it again.');
    case 'forgets':
      return vscode.l10n.t(
        'VS Code’s secret storage didn’t save the API key. Check your system’s keyring, then enter the key again.',
      );
  }
}

/** The name of a step. */
export function stepName(step: CheckStep): string {
  switch (step) {
    case 'address':
      return vscode.l10n.t('URL');
    case 'reach':
      return vscode.l10n.t('Connection');
    case 'key':
      return vscode.l10n.t('API key');
    case 'account':
      return vscode.l10n.t('Account');
    case 'models':
      return vscode.l10n.t('Models');
    case 'quote':
      return vscode.l10n.t('Price');
  }
}

/**
 * The check as a page of text: a line for each step, the conclusion, then each response that explains it. `at` is
 * the time of the check, ms since 1970; `proxy` names the proxy in use, if any. Contains no key and no prompt.
 */
export function checkPage(reports: readonly StepReport[], at: number, proxy: string | undefined): string {
  return [
    vscode.l10n.t('Connection check, {0}', dateWords(at, vscode.env.language)),
    '',
    ...reports.map(stepLine),
    '',
    ...conclusion(reports, proxy),
    ...reports.flatMap((report) => ('heard' in report && report.heard ? exchangeLines(report.heard) : [])),
  ].join('\n');
}

/** The request, the response, and what was expected. */
function exchangeLines(exchange: Heard): string[] {
  const { method, path, status, type, beginning } = exchange;
  return [
    '',
    vscode.l10n.t('Request: {0} {1}', method, oneLine(path, 400)),
    type === undefined
      ? vscode.l10n.t('Response: HTTP {0}, no content type', status)
      : vscode.l10n.t('Response: HTTP {0}, content type {1}', status, oneLine(type, 100)),
    ...bodyLine(beginning),
    ...expectedOf(exchange).map((sentence) => vscode.l10n.t('Expected by the specification: {0}', sentence)),
  ];
}

function bodyLine(beginning: string | undefined): string[] {
  if (beginning === undefined) return [];
  return [
    beginning === ''
      ? vscode.l10n.t('Response body: empty')
      : vscode.l10n.t('Response body (up to 300 characters): {0}', beginning),
  ];
}

/** No columns: in some scripts characters are wider than a space. */
function stepLine(report: StepReport): string {
  return `${mark(report)}  ${vscode.l10n.t('{0}: {1}', stepName(report.step), stepWords(report))}`;
}

function mark({ outcome }: StepReport): string {
  return { passed: '✓', failed: '✗', skipped: '–', notReached: '·' }[outcome];
}

function stepWords(report: StepReport): string {
  switch (report.outcome) {
    case 'notReached':
      return vscode.l10n.t('not checked');
    case 'failed':
      return vscode.l10n.t('failed after {0} ms', Math.round(report.ms));
    case 'passed':
    case 'skipped':
      return vscode.l10n.t('{0} · {1} ms', foundWords(report.found), Math.round(report.ms));
  }
}

function foundWords(found: CheckFinding): string {
  const language = vscode.env.language;
  switch (found.kind) {
    case 'address':
      return oneLine(found.base);
    case 'answers':
      return vscode.l10n.t('responds without a key (HTTP {0})', found.status);
    case 'keyFound':
      return vscode.l10n.t('stored for this service URL');
    case 'keyTyped':
      return vscode.l10n.t('the key you entered');
    case 'balance':
      return vscode.l10n.t('key accepted, balance {0}', formatCents(found.cents, language));
    case 'models':
      return modelsWords(found.count, found.unreadable);
    case 'price':
      return vscode.l10n.t('{0} for sample inputs on {1}', formatCents(found.cents, language), oneLine(found.modelId));
    case 'skipped':
      return vscode.l10n.t('skipped: the first models need more than a prompt');
  }
}

function modelsWords(count: number, unreadable: number): string {
  const read = count === 1 ? vscode.l10n.t('1 found') : vscode.l10n.t('{0} found', count);
  return unreadable === 0 ? read : vscode.l10n.t('{0}, and {1} more that couldn’t be read', read, unreadable);
}

function conclusion(reports: readonly StepReport[], proxy: string | undefined): string[] {
  const stopped = reports.find(({ outcome }) => outcome === 'failed');
  if (stopped?.outcome !== 'failed' && reports.some(isMisread))
    return [vscode.l10n.t('Part of a response couldn’t be read. Nothing was rendered and nothing was charged.')];
  if (stopped?.outcome !== 'failed')
    return [vscode.l10n.t('Everything works. Nothing was rendered, and nothing was charged.')];
  const { step, error } = stopped;
  return [
    vscode.l10n.t('Failed at “{0}”.', stepName(step)),
    reasonWords(step, error),
    ...(error instanceof ServiceError && error.kind === 'noAnswer' && !error.proxy ? [wayWords(proxy)] : []),
    vscode.l10n.t('Nothing was rendered and nothing was charged.'),
  ];
}

/** Which way the requests went: the service may be fine, and the way to it isn't. */
function wayWords(proxy: string | undefined): string {
  return proxy === undefined
    ? vscode.l10n.t(
        'No proxy is used. Only the http.proxy setting and the HTTPS_PROXY variable count: the system’s proxy settings and PAC files aren’t read.',
      )
    : vscode.l10n.t(
        'Requests go through the proxy {0}. Also check that proxy and the http.proxy setting.',
        oneLine(proxy),
      );
}

/** Why it stopped, and what to do, where the step explains more than the error alone. */
export function reasonWords(step: CheckStep, error: unknown): string {
  if (error instanceof CheckError) {
    return error.code === 'noModels'
      ? vscode.l10n.t(
          'The service doesn’t list any models for this account. Ask your service administrator which models the key can use.',
        )
      : vscode.l10n.t(
          'The service responds, but its price can’t be read. A render asks you to confirm before anything is sent.',
        );
  }
  if (!(error instanceof ServiceError)) return sentenceOf(error);
  if (error.kind === 'noAnswer') return noResponseWords(error);
  if (error.html || error.kind !== 'status') return sentenceOf(error);
  switch (error.status) {
    case 403:
      return vscode.l10n.t(
        'Access denied (403) by the service or by a proxy or firewall in between. Check the key’s permissions, and whether it works from this network.',
      );
    case 404:
      return step === 'account'
        ? vscode.l10n.t(
            'Something responds, but it isn’t a catalog service (404). Check the host, port, and path in the URL.',
          )
        : vscode.l10n.t('The service doesn’t support this request (404). It may be a different version.');
    default:
      return sentenceOf(error);
  }
}

function noResponseWords(error: ServiceError): string {
  if (error.proxy) return sentenceOf(error);
  switch (error.systemCode) {
    case 'EAI_AGAIN':
      return vscode.l10n.t('Can’t resolve the host name. Check your connection and DNS server.');
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return vscode.l10n.t(
        'The host can’t be reached from this network. Check your connection, and your VPN if you need one.',
      );
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return vscode.l10n.t(
        'The request timed out. Check your network, VPN, proxy, and firewall, and whether the service is up.',
      );
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return vscode.l10n.t(
        'The connection closed before the service responded. Check that the port serves HTTP, and that no firewall or proxy is closing it.',
      );
    default:
      return sentenceOf(error);
  }
}
