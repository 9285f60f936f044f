import * as vscode from 'vscode';
import { isDue, type StateOf } from '../../renderFiles/states';
import { changedNames } from '../../renderFiles/words';

/** The state of an entry’s image, or how many of its images are missing or stale. */
export function stateWords(states: readonly StateOf[]): string {
  const [first] = states;
  return first && states.length === 1 ? oneState(first) : countWords(states);
}

/** How many images are missing or stale. */
export function countWords(states: readonly StateOf[]): string {
  const due = states.filter(isDue).length;
  return due === 0
    ? vscode.l10n.t('Nothing missing or stale')
    : vscode.l10n.t('{0} of {1} missing or stale', due, states.length);
}

function oneState({ state }: StateOf): string {
  switch (state.state) {
    case 'missing':
      return vscode.l10n.t('Missing');
    case 'stale':
      return vscode.l10n.t('Stale: {0}', changedNames(state, vscode.l10n));
    case 'current':
      return vscode.l10n.t('Current');
    case 'edited':
      return vscode.l10n.t('Edited since it was rendered');
    case 'foreign':
      return vscode.l10n.t('No record of how it was made');
    case 'unknown':
      return vscode.l10n.t('Prompt not recorded');
    case 'unreadable':
      return vscode.l10n.t('Can’t be read');
  }
}
