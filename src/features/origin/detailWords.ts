import * as vscode from 'vscode';
import { exactWords, formatCents } from '../../base/format';
import { formatSize } from '../../base/numbers';
import { oneLine } from '../../base/plain';
import { elapsed, sizeWords } from '../../editor/words';
import type { LibraryEntry } from '../../renders/library';
import { editorChat, type OrderedBy } from '../../renders/record';
import { standing, story } from '../rendering/renderWords';
import { type DetailWords, type Fact, type Heading } from './model/generationDetails';

/** The labels and phrases of a render's details, in the editor's language. */
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
    fitted,
    path: (uri) => {
      const { scheme, fsPath } = vscode.Uri.parse(uri);
      return scheme === 'file' ? fsPath : uri;
    },
  };
}

function orderer(by: OrderedBy, agent: string | undefined): string {
  if (agent === editorChat) return editorChat;
  if (agent !== undefined) return vscode.l10n.t('An agent that calls itself “{0}”', oneLine(agent, 60));
  return by === 'person'
    ? vscode.l10n.t('You')
    : vscode.l10n.t('An extension, a task, a keyboard shortcut, or an agent');
}

function refund({ state, status }: LibraryEntry): string | undefined {
  if (state === 'refunded' || status === 'refunded') return vscode.l10n.t('reported by the service');
  return state === 'failed' || status === 'failed' ? vscode.l10n.t('not reported yet') : undefined;
}

function provenance({ record }: LibraryEntry): string | undefined {
  if (record?.state !== 'saved') return undefined;
  if (record.spooled?.inscribed) return vscode.l10n.t('embedded in the file');
  if (record.sidecar === undefined) return undefined;
  return record.sidecar
    ? vscode.l10n.t('in a sidecar file')
    : vscode.l10n.t('couldn’t write the sidecar file (see log)');
}

function fitted({ record }: LibraryEntry): string | undefined {
  if (record?.spooled?.fitted === undefined) return undefined;
  return record.spooled.fitted ? sizeWords(record.target.fit) : vscode.l10n.t('couldn’t be fitted (see log)');
}

function heading(name: Heading): string {
  switch (name) {
    case 'prompt':
      return vscode.l10n.t('Prompt');
    case 'inputs':
      return vscode.l10n.t('Inputs');
    case 'money':
      return vscode.l10n.t('Cost');
    case 'times':
      return vscode.l10n.t('Timeline');
    case 'result':
      return vscode.l10n.t('Result');
    case 'request':
      return vscode.l10n.t('Request');
    case 'answer':
      return vscode.l10n.t('Response');
  }
}

function label(fact: Fact): string {
  switch (fact) {
    case 'standing':
      return vscode.l10n.t('Status');
    case 'model':
      return vscode.l10n.t('Model');
    case 'shown':
      return vscode.l10n.t('Quoted price');
    case 'charged':
      return vscode.l10n.t('Charged');
    case 'refund':
      return vscode.l10n.t('Refund');
    case 'ordered':
      return vscode.l10n.t('Started');
    case 'orderer':
      return vscode.l10n.t('Started by');
    case 'startedElsewhere':
      return vscode.l10n.t('Started outside VS Code');
    case 'firstSent':
      return vscode.l10n.t('First sent');
    case 'firstSentServiceTime':
      return vscode.l10n.t('First sent (service time)');
    case 'accepted':
      return vscode.l10n.t('Accepted');
    case 'ended':
      return vscode.l10n.t('Finished');
    case 'took':
      return vscode.l10n.t('Duration');
    case 'file':
      return vscode.l10n.t('File');
    case 'folder':
      return vscode.l10n.t('Target folder');
    case 'type':
      return vscode.l10n.t('Type');
    case 'size':
      return vscode.l10n.t('Size');
    case 'fitted':
      return vscode.l10n.t('Fitted to');
    case 'hash':
      return vscode.l10n.t('Hash');
    case 'provenance':
      return vscode.l10n.t('How it was made');
    case 'place':
      return vscode.l10n.t('Service');
    case 'key':
      return vscode.l10n.t('Idempotency key');
    case 'generation':
      return vscode.l10n.t('Render ID');
    case 'several':
      return vscode.l10n.t('Render IDs');
    case 'content':
      return vscode.l10n.t('Result URL');
    case 'attempts':
      return vscode.l10n.t('Attempts');
    case 'unanswered':
      return vscode.l10n.t('Attempts without a response');
    case 'tool':
      return vscode.l10n.t('Written by');
  }
}
