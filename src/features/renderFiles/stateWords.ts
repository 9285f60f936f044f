import * as vscode from 'vscode';
import { isDue, type Pending, type StateOf } from '../../renderFiles/states';
import { changedNames } from '../../renderFiles/words';

/** The state of an entry’s image, or how many of its images are missing or stale; and what they wait for. */
export function stateWords(states: readonly StateOf[]): string {
  const [first] = states;
  if (!first || states.length > 1) return countWords(states);
  return first.pending ? `${oneState(first)} · ${pendingWords(first.pending)}` : oneState(first);
}

/** How many images are missing or stale, and how many of those wait for what. */
export function countWords(states: readonly StateOf[]): string {
  const due = states.filter(isDue).length;
  if (due === 0) return vscode.l10n.t('Nothing missing or stale');
  const pending = states.flatMap((one) => one.pending ?? []);
  const active = pending.filter(({ is }) => is === 'active').length;
  const waiting = pending.length - active;
  return [
    vscode.l10n.t('{0} of {1} missing or stale', due, states.length),
    ...(active > 0 ? [vscode.l10n.t('In progress: {0}', active)] : []),
    ...(waiting > 0 ? [vscode.l10n.t('Waiting for your decision: {0}', waiting)] : []),
  ].join(' · ');
}

function pendingWords({ is }: Pending): string {
  switch (is) {
    case 'active':
      return vscode.l10n.t('In progress');
    case 'toReview':
      return vscode.l10n.t('Ready to review');
    case 'notSent':
      return vscode.l10n.t('Not sent');
    case 'paidNotSaved':
      return vscode.l10n.t('Paid, not saved');
    case 'unknown':
      return vscode.l10n.t('Unconfirmed');
  }
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
