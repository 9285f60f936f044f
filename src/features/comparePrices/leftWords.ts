import * as vscode from 'vscode';
import type { Field } from '../../catalog/types';
import { iconless, oneLine } from '../../base/plain';

/** Names the fields whose values another model doesn't accept; undefined when it accepts all. For a quick pick. */
export function leftWords(left: readonly Field[]): string | undefined {
  const names = left.map(({ label }) => oneLine(label, 40)).join(', ');
  return names === '' ? undefined : iconless(vscode.l10n.t('Not carried over: {0}', names));
}
