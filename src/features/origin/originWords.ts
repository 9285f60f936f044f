import * as vscode from 'vscode';
import type { Origin } from '../../renders/origin';
import type { RenderRecord } from '../../renders/record';
import { detailWords } from '../generations/detailWords';
import type { OriginWords } from './model/originText';

/**
 * Phrases about a file's origin, in the editor's language. `unread` are sentences about the parts that couldn't be
 * read.
 */
export function originWords(unread: readonly string[]): OriginWords {
  return {
    ...detailWords(),
    introduction: (origin) => [...introduction(origin, unread.length > 0), ...unread].join(' '),
    promptLeftOut: vscode.l10n.t('The prompt was left out.'),
  };
}

function introduction(origin: Origin, isUnread: boolean): string[] {
  if (origin.record) return [ours(origin)];
  switch (origin.told?.where) {
    case 'inside':
      return [
        vscode.l10n.t(
          'This file isn’t in this editor’s render history. The details below come from the file itself, which anyone can edit.',
        ),
        inside(origin),
      ];
    case 'beside':
      return [
        vscode.l10n.t(
          'This file isn’t in this editor’s render history. The details below come from its sidecar file, which anyone can edit.',
        ),
        beside(origin),
      ];
    case undefined:
      if (isUnread) return [vscode.l10n.t('This file isn’t in this editor’s render history.')];
      return [
        vscode.l10n.t(
          'There’s no record of how this file was made. It isn’t in this editor’s render history, and neither the file nor a sidecar file says.',
        ),
      ];
  }
}

function ours({ change }: Extract<Origin, { record: RenderRecord }>): string {
  switch (change) {
    case 'none':
      return vscode.l10n.t('Rendered in this editor. The file hasn’t changed since it was saved.');
    case 'metadata':
      return vscode.l10n.t('Rendered in this editor. Only metadata has changed; the image is the same.');
    case 'replaced':
      return vscode.l10n.t('This editor saved a render under this name. The file has since been changed or replaced.');
    case 'unknown':
      return vscode.l10n.t(
        'This editor saved a render under this name. We can’t tell whether the file has changed since.',
      );
  }
}

function inside({ change }: Origin): string {
  return change === 'none'
    ? vscode.l10n.t('The image matches this record.')
    : vscode.l10n.t('The file has changed since this was recorded.');
}

function beside({ change }: Origin): string {
  if (change === 'none') return vscode.l10n.t('The file matches this record.');
  return change === 'changed'
    ? vscode.l10n.t('The file has changed since this was recorded.')
    : vscode.l10n.t('We can’t tell whether the file has changed since.');
}
