import * as vscode from 'vscode';
import { englishStrings, type FormStrings } from '../form/strings';

/** The form's texts in the editor's language. */
export function formStrings(): FormStrings {
  const texts = Object.entries(englishStrings).map(([key, text]) => [key, vscode.l10n.t(text)]);
  return Object.fromEntries(texts) as FormStrings;
}
