import * as vscode from 'vscode';
import type { AddressProblem } from '../../catalog/address';
import type { ApiKeyProblem } from '../../catalog/apiKey';
import { said } from '../words';
import type { StorageProblem } from './apiKey';

/** Why a typed address cannot be used, and what to type instead. */
export function addressSentence(problem: AddressProblem): string {
  switch (problem) {
    case 'empty':
      return vscode.l10n.t('Enter the address of the service, for instance https://models.example.com.');
    case 'tooLong':
      return vscode.l10n.t('This is too long for an address. Enter the part up to and with the host name.');
    case 'whitespace':
      return vscode.l10n.t('An address has no spaces or line breaks in it.');
    case 'backslash':
      return vscode.l10n.t('An address has no backslashes. Use slashes: https://…');
    case 'scheme':
      return vscode.l10n.t('An address starts with https://, or with http:// for a service on this computer.');
    case 'notAnAddress':
      return vscode.l10n.t('This cannot be read as an address. Check the host name and the port.');
    case 'httpNotLoopback':
      return vscode.l10n.t(
        'Over http:// anybody on the way could read your API key. Use https:// for a service that is not on this computer.',
      );
    case 'userInfo':
      return vscode.l10n.t('An address must not hold a user name or password. Remove everything up to and with the @.');
    case 'query':
      return vscode.l10n.t('Remove the question mark and what follows it.');
    case 'hash':
      return vscode.l10n.t('Remove the # and what follows it.');
    case 'dots':
      return vscode.l10n.t('Enter the path without “.” and “..” parts.');
  }
}

/** Why a typed text cannot be an API key. Never holds what was typed. */
export function apiKeySentence(problem: ApiKeyProblem): string {
  switch (problem) {
    case 'empty':
      return vscode.l10n.t('Enter the API key. It is created in your account settings at the service.');
    case 'lineBreak':
      return vscode.l10n.t('There is a line break inside the key. Copy the key alone, then paste it again.');
    case 'whitespace':
      return vscode.l10n.t('There is a space inside the key. Copy the key alone, then paste it again.');
    case 'control':
    case 'notAscii':
      return vscode.l10n.t(
        'There is a character in it that no key has. Copy the key from where it was created, then paste it again.',
      );
    case 'prefix':
      return vscode.l10n.t('An API key of this service starts with ai_live_.');
    case 'incomplete':
      return vscode.l10n.t('This is only the beginning of a key. Copy the whole key, then paste it again.');
    case 'tooLong':
      return vscode.l10n.t('This is too long for an API key. Copy the key alone, then paste it again.');
  }
}

/** Why the editor's secret storage keeps no key for us, and what to do. */
export function storageSentence(problem: StorageProblem): string {
  switch (problem.why) {
    case 'missing':
      return vscode.l10n.t(
        'This editor has no secret storage, and the API key is kept nowhere else. The sandbox works without a key.',
      );
    case 'failed':
      return problem.detail === undefined
        ? vscode.l10n.t('The editor’s secret storage failed. Check the keyring of your system, then try again.')
        : vscode.l10n.t(
            'The editor’s secret storage failed: {0}. Check the keyring of your system, then try again.',
            said(problem.detail),
          );
    case 'noAnswer':
      return vscode.l10n.t(
        'The editor’s secret storage does not answer. Unlock the keyring of your system, then try again.',
      );
    case 'damaged':
      return vscode.l10n.t(
        'What the editor’s secret storage holds for this address is not an API key that this extension put there. Enter the key again.',
      );
    case 'forgets':
      return vscode.l10n.t(
        'The editor’s secret storage did not keep the API key. Check the keyring of your system, then enter the key again.',
      );
  }
}
