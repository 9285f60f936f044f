import * as vscode from 'vscode';
import { type ActionPage, actionViews } from './model/actions';
import type { ActionView } from '../../editor/page/controls';

/** A webview's English texts in the editor's language. */
export function translated<Key extends string>(english: Readonly<Record<Key, string>>): Readonly<Record<Key, string>> {
  const texts = Object.entries<string>(english).map(([key, text]) => [key, vscode.l10n.t(text)]);
  return Object.fromEntries(texts) as Record<Key, string>;
}

/** The actions on renders that a page offers, for display. */
export function translatedActions(page: ActionPage): ActionView[] {
  return actionViews(page, (text) => vscode.l10n.t(text));
}
