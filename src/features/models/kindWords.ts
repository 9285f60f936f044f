import * as vscode from 'vscode';
import type { ModelKind } from '../../catalog/fields';

/** What a model makes. */
export function kindWords(kind: ModelKind | undefined): string {
  if (kind === 'image') return vscode.l10n.t('image model');
  return kind === 'text' ? vscode.l10n.t('text model') : vscode.l10n.t('model');
}
