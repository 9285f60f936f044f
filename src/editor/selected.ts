import * as vscode from 'vscode';
import { passageOf, spansWithText, type Passage } from '../documents/passage';
import type { Span } from '../documents/scan';
import { UserError } from './userError';

/** A text that was selected in a document. */
export interface SelectedText {
  readonly document: vscode.Uri;
  readonly languageId: string;
  readonly passage: Passage;
}

/** The selection of the active editor. Throws UserError when it's empty, only white space, or has several ranges. */
export function selectedNow(): SelectedText {
  const { document } = vscode.window.activeTextEditor ?? {};
  const [span, ...more] = selectedSpans();
  if (!document || !span) throw new UserError(vscode.l10n.t('Select some text in an editor first.'));
  if (more.length > 0)
    throw new UserError(vscode.l10n.t('There’s more than one selection. Select only the text to send.'));
  return { document: document.uri, languageId: document.languageId, passage: passageOf(document.getText(), span) };
}

/** The selected text of the active editor as a default; '' without a selection, or with several. */
export function selectedText(): string {
  const [span, ...more] = selectedSpans();
  if (!span || more.length > 0) return '';
  return vscode.window.activeTextEditor?.document.getText().slice(span.start, span.end) ?? '';
}

function selectedSpans(): readonly Span[] {
  const { document, selections = [] } = vscode.window.activeTextEditor ?? {};
  if (!document) return [];
  const spans = selections.map(({ start, end }) => ({ start: document.offsetAt(start), end: document.offsetAt(end) }));
  return spansWithText(document.getText(), spans);
}
