import * as vscode from 'vscode';
import type { Field } from '../../catalog/types';
import { iconless, oneLine } from '../../base/plain';

/** Says which fields another model does not take as they were set; undefined when it takes all. For a quick pick. */
export function leftWords(left: readonly Field[]): string | undefined {
  const names = left.map(({ label }) => oneLine(label, 40)).join(', ');
  return names === '' ? undefined : iconless(vscode.l10n.t('Not carried over: {0}', names));
}
