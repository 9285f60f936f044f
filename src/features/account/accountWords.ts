import * as vscode from 'vscode';
import type { AddressProblem } from '../../catalog/address';
import type { ApiKeyProblem } from '../../catalog/apiKey';
import { said } from '../../editor/words';
import type { StorageProblem } from './model/apiKey';

/** Why a typed URL can't be used, and what to type instead. */
export function addressSentence(problem: AddressProblem): string {
  switch (problem) {
    case 'empty':
      return vscode.l10n.t('Enter the service URL, for example https://models.example.com.');
    case 'tooLong':
      return vscode.l10n.t('The URL is too long. Enter it up to and including the host name.');
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
      return vscode.l10n.t(
        'The key contains a character that keys don’t have. Copy it from where you created it, then paste it again.',
      );
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
        'This editor has no secret storage, so the API key can’t be saved. The sandbox works without a key.',
      );
    case 'failed':
      return problem.detail === undefined
        ? vscode.l10n.t('Couldn’t access the editor’s secret storage. Check your system’s keyring, then try again.')
        : vscode.l10n.t(
            'Couldn’t access the editor’s secret storage: {0}. Check your system’s keyring, then try again.',
            said(problem.detail),
          );
    case 'noAnswer':
      return vscode.l10n.t(
        'The editor’s secret storage isn’t responding. Unlock your system’s keyring, then try again.',
      );
    case 'damaged':
      return vscode.l10n.t(
        'The editor’s secret storage has something other than our API key for this URL. Enter the key again.',
      );
    case 'forgets':
      return vscode.l10n.t(
        'The editor’s secret storage didn’t save the API key. Check your system’s keyring, then enter the key again.',
      );
  }
}
