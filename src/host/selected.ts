import * as vscode from 'vscode';
import { passageOf, spansWithText, type Passage } from '../documents/passage';
import { UserError } from '../app/userError';

/** A text that was selected in a document. */
export interface Selected {
  readonly document: vscode.Uri;
  readonly languageId: string;
  readonly passage: Passage;
}

/**
 * What is selected in the active editor. Throws UserError when that is nothing, nothing but white space, or several
 * texts: which of them?
 */
export function selectedNow(): Selected {
  const { document, selections = [] } = vscode.window.activeTextEditor ?? {};
  const text = document?.getText() ?? '';
  const spans = selections.map(({ start, end }) => ({
    start: document?.offsetAt(start) ?? 0,
    end: document?.offsetAt(end) ?? 0,
  }));
  const [span, ...more] = spansWithText(text, spans);
  if (!document || !span) throw new UserError(vscode.l10n.t('Select some text in an editor first.'));
  if (more.length > 0)
    throw new UserError(vscode.l10n.t('There’s more than one selection. Select only the text to send.'));
  return { document: document.uri, languageId: document.languageId, passage: passageOf(text, span) };
}
