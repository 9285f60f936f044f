import * as vscode from 'vscode';
import { dateWords } from '../../base/moment';
import { formatCents } from '../../base/money';
import { CheckError, type CheckStep, type Finding, type StepReport } from '../../catalog/connectionCheck';
import { ServiceError } from '../../catalog/errors';
import { oneLine } from '../plain';
import { sentenceOf } from '../words';

/** What a step is called. */
export function stepName(step: CheckStep): string {
  switch (step) {
    case 'address':
      return vscode.l10n.t('Address');
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
 * The check as a page of text: a line for each step, then what it comes to. `at` is when it was made, ms since 1970; `proxy` names the
 * proxy in use, if any. Holds no key.
 */
export function checkPage(reports: readonly StepReport[], at: number, proxy: string | undefined): string {
  return [
    vscode.l10n.t('Connection check of {0}', dateWords(at, vscode.env.language)),
    '',
    ...reports.map(stepLine),
    '',
    ...conclusion(reports, proxy),
  ].join('\n');
}

/** No columns: the letters of some languages are of other widths than a space. */
function stepLine(report: StepReport): string {
  return `${mark(report)}  ${vscode.l10n.t('{0}: {1}', stepName(report.step), stepWords(report))}`;
}

function mark({ outcome }: StepReport): string {
  return { passed: '✓', failed: '✗', skipped: '–', notReached: '·' }[outcome];
}

function stepWords(report: StepReport): string {
  switch (report.outcome) {
    case 'notReached':
      return vscode.l10n.t('not reached');
    case 'failed':
      return vscode.l10n.t('stopped here after {0} ms', Math.round(report.ms));
    case 'passed':
    case 'skipped':
      return vscode.l10n.t('{0} · {1} ms', foundWords(report.found), Math.round(report.ms));
  }
}

function foundWords(found: Finding): string {
  const language = vscode.env.language;
  switch (found.kind) {
    case 'address':
      return oneLine(found.base);
    case 'answers':
      return vscode.l10n.t('answers a request without a key (status {0})', found.status);
    case 'keyFound':
      return vscode.l10n.t('stored for this address');
    case 'balance':
      return vscode.l10n.t('the key is accepted; balance {0}', formatCents(found.cents, language));
    case 'models':
      return found.count === 1 ? vscode.l10n.t('1 model') : vscode.l10n.t('{0} models', found.count);
    case 'price':
      return vscode.l10n.t(
        '{0} for sample inputs with {1}',
        formatCents(found.cents, language),
        oneLine(found.modelId),
      );
    case 'skipped':
      return vscode.l10n.t('skipped: the first models need more than a text');
  }
}

function conclusion(reports: readonly StepReport[], proxy: string | undefined): string[] {
  const stopped = reports.find(({ outcome }) => outcome === 'failed');
  if (stopped?.outcome !== 'failed')
    return [vscode.l10n.t('Everything answers as it should. Nothing was rendered and nothing was charged.')];
  const { step, error } = stopped;
  const throughProxy = proxy !== undefined && error instanceof ServiceError && error.kind === 'noAnswer';
  return [
    vscode.l10n.t('Stopped at “{0}”.', stepName(step)),
    reasonWords(step, error),
    ...(throughProxy
      ? [vscode.l10n.t('Requests go through the proxy {0}. Check it as well, and the setting http.proxy.', proxy)]
      : []),
    vscode.l10n.t('Nothing was rendered and nothing was charged.'),
  ];
}

/** Why it stopped, and what to do; where the step tells more than the error alone does. */
function reasonWords(step: CheckStep, error: unknown): string {
  if (error instanceof CheckError) {
    return error.code === 'noModels'
      ? vscode.l10n.t('The service lists no models for this account. Ask whoever runs it which models the key may use.')
      : vscode.l10n.t(
          'The service answers, but states no price that can be read. A render would ask you before anything is sent.',
        );
  }
  if (!(error instanceof ServiceError)) return sentenceOf(error);
  if (error.kind === 'noAnswer') return noAnswerWords(error);
  if (error.html || error.kind !== 'status') return sentenceOf(error);
  switch (error.status) {
    case 403:
      return vscode.l10n.t(
        'Access is forbidden (403), by the service or by something on the way to it. Check what the key may do, and whether it may be used from this network.',
      );
    case 404:
      return step === 'account'
        ? vscode.l10n.t(
            'Something answers, but it is no catalog service (404). Check the address: host, port and path.',
          )
        : vscode.l10n.t('The service does not know this request (404). The service may be of another version.');
    case 407:
      return vscode.l10n.t('The proxy wants you to sign in (407). Check the setting http.proxy.');
    default:
      return sentenceOf(error);
  }
}

function noAnswerWords(error: ServiceError): string {
  if (/Proxy response/i.test(error.message))
    return vscode.l10n.t('The proxy does not let the request through. Check the setting http.proxy.');
  switch (error.systemCode) {
    case 'EAI_AGAIN':
      return vscode.l10n.t(
        'The name of the host cannot be looked up now. Check whether this computer is online, and its name server.',
      );
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return vscode.l10n.t('There is no way to the host from here. Check the network, and a VPN if you need one.');
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return vscode.l10n.t(
        'No answer came in time. The service may be down, or a firewall drops the request. Check the network, a VPN or a proxy, then try again.',
      );
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return vscode.l10n.t(
        'The connection was closed before an answer came. Check whether the port speaks HTTP, and whether a firewall or a proxy ends it.',
      );
    default:
      return sentenceOf(error);
  }
}
