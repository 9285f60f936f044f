import * as vscode from 'vscode';
import type { AppliedStyle } from './appliedStyle';

/** What the model doesn’t take of a style; undefined if it takes all of it. */
export function notTakenWords(style: AppliedStyle | undefined): string | undefined {
  const { leftOut = [] } = style ?? {};
  return leftOut.length > 0 ? vscode.l10n.t('This model doesn’t take: {0}', leftOut.join(', ')) : undefined;
}
