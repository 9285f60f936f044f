import * as vscode from 'vscode';
import { passageOf, type Passage } from '../documents/passage';
import { UserError } from './userError';

/** A text that was selected in a document. */
export interface Selected {
  readonly document: vscode.Uri;
  readonly languageId: string;
  readonly passage: Passage;
}

/** What is selected in the active editor. Throws UserError when that is nothing, or nothing but white space. */
export function selectedNow(): Selected {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.getText(editor.selection).trim() === '')
    throw new UserError(vscode.l10n.t('Select some text in an editor first.'));
  const { document, selection } = editor;
  const span = { start: document.offsetAt(selection.start), end: document.offsetAt(selection.end) };
  return {
    document: document.uri,
    languageId: document.languageId,
    passage: passageOf(document.getText(), span),
  };
}
