import * as vscode from 'vscode';
import type { Origin } from '../../renders/origin';
import { detailWords } from '../generations/detailWords';
import type { OriginWords } from './originText';

/** How the origin of a file is said in the editor's language. */
export function originWords(): OriginWords {
  return {
    ...detailWords(),
    introduction: (origin) => introduction(origin).join(' '),
    promptLeftOut: vscode.l10n.t('The prompt was left out.'),
  };
}

function introduction(origin: Origin): string[] {
  if (origin.record) return [ours(origin)];
  switch (origin.told?.where) {
    case 'inside':
      return [
        vscode.l10n.t(
          'This file is not among the renders of this editor. What follows stands in the file itself, where anybody can write.',
        ),
        inside(origin),
      ];
    case 'beside':
      return [
        vscode.l10n.t(
          'This file is not among the renders of this editor. What follows stands in the file beside it, where anybody can write.',
        ),
        beside(origin),
      ];
    case undefined:
      return [
        vscode.l10n.t(
          'Nothing tells how this file was made: it is not among the renders of this editor, and neither the file itself nor one beside it says so.',
        ),
      ];
  }
}

function ours({ change }: Origin): string {
  switch (change) {
    case 'none':
      return vscode.l10n.t('This editor rendered this file. It is as it was saved.');
    case 'metadata':
      return vscode.l10n.t('This editor rendered this file. The picture is the one that was rendered.');
    case 'changed':
      return vscode.l10n.t('This editor rendered this file. It was changed since it was saved.');
    case 'replaced':
      return vscode.l10n.t('This editor saved a render under this name. The file was changed or replaced since.');
    case 'unknown':
      return vscode.l10n.t(
        'This editor saved a render under this name. Whether the file was changed since cannot be told.',
      );
  }
}

function inside({ change }: Origin): string {
  return change === 'none'
    ? vscode.l10n.t('The picture is the one this was written for.')
    : vscode.l10n.t('The file was changed since this was written.');
}

function beside({ change }: Origin): string {
  if (change === 'none') return vscode.l10n.t('The file is the one this was written for.');
  return change === 'changed'
    ? vscode.l10n.t('The file was changed since this was written.')
    : vscode.l10n.t('Whether the file was changed since cannot be told.');
}
