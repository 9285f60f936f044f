import * as vscode from 'vscode';
import { exactWords } from '../../base/moment';
import { formatCents } from '../../base/money';
import { formatSize } from '../../base/size';
import type { LibraryEntry } from '../../renders/library';
import type { OrderedBy } from '../../renders/record';
import { elapsed, standing, story } from '../renders/renderWords';
import type { DetailWords, Fact, Heading } from './generationDetails';

/** How the document of a render says its facts, in the editor's language. */
export function detailWords(): DetailWords {
  const { language } = vscode.env;
  return {
    label,
    heading,
    standing: (entry) => [standing(entry), story(entry)].filter(Boolean).join('\n'),
    money: (cents) => formatCents(cents, language),
    time: (ms) => exactWords(ms, language),
    duration: elapsed,
    bytes: (count) => formatSize(count, language),
    orderer,
    refund,
    provenance,
    path: (uri) => {
      const { scheme, fsPath } = vscode.Uri.parse(uri);
      return scheme === 'file' ? fsPath : uri;
    },
  };
}

function orderer(by: OrderedBy): string {
  return by === 'person' ? vscode.l10n.t('You') : vscode.l10n.t('An extension, a task, a keybinding or an agent');
}

function refund({ state, status }: LibraryEntry): string | undefined {
  if (state === 'refunded' || status === 'refunded') return vscode.l10n.t('stated by the service');
  return state === 'failed' || status === 'failed' ? vscode.l10n.t('not stated yet') : undefined;
}

function provenance({ record }: LibraryEntry): string | undefined {
  if (record?.state !== 'saved') return undefined;
  if (record.spooled?.inscribed) return vscode.l10n.t('stands in the file itself');
  if (record.sidecar === undefined) return undefined;
  return record.sidecar
    ? vscode.l10n.t('stands in a file beside it')
    : vscode.l10n.t('could not be written beside it; the log says why');
}

function heading(name: Heading): string {
  switch (name) {
    case 'prompt':
      return vscode.l10n.t('Prompt');
    case 'inputs':
      return vscode.l10n.t('Inputs');
    case 'money':
      return vscode.l10n.t('Money');
    case 'times':
      return vscode.l10n.t('Times');
    case 'result':
      return vscode.l10n.t('Result');
    case 'request':
      return vscode.l10n.t('Request');
    case 'answer':
      return vscode.l10n.t('Answer');
  }
}

function label(fact: Fact): string {
  switch (fact) {
    case 'standing':
      return vscode.l10n.t('State');
    case 'model':
      return vscode.l10n.t('Model');
    case 'shown':
      return vscode.l10n.t('Price shown');
    case 'charged':
      return vscode.l10n.t('Charged');
    case 'refund':
      return vscode.l10n.t('Refund');
    case 'ordered':
      return vscode.l10n.t('Ordered');
    case 'orderer':
      return vscode.l10n.t('Ordered by');
    case 'startedElsewhere':
      return vscode.l10n.t('Started elsewhere');
    case 'firstSent':
      return vscode.l10n.t('First sent');
    case 'firstSentServiceTime':
      return vscode.l10n.t('First sent, by the service’s clock');
    case 'accepted':
      return vscode.l10n.t('Accepted');
    case 'ended':
      return vscode.l10n.t('Ended');
    case 'took':
      return vscode.l10n.t('Took');
    case 'file':
      return vscode.l10n.t('File');
    case 'folder':
      return vscode.l10n.t('Folder it is for');
    case 'type':
      return vscode.l10n.t('Type');
    case 'size':
      return vscode.l10n.t('Size');
    case 'hash':
      return vscode.l10n.t('Hash');
    case 'provenance':
      return vscode.l10n.t('How it was made');
    case 'place':
      return vscode.l10n.t('Service');
    case 'key':
      return vscode.l10n.t('Idempotency key');
    case 'generation':
      return vscode.l10n.t('Render at the service');
    case 'several':
      return vscode.l10n.t('Renders at the service');
    case 'content':
      return vscode.l10n.t('Address of the result');
    case 'attempts':
      return vscode.l10n.t('Attempts');
    case 'unanswered':
      return vscode.l10n.t('Attempts without an answer');
    case 'tool':
      return vscode.l10n.t('Written by');
  }
}
