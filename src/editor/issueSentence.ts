import * as vscode from 'vscode';
import { formatNames } from '../base/formatNames';
import { formatSize } from '../base/size';
import type { FieldIssue } from '../catalog/fields';
import { englishIssueStrings, issueText } from '../catalog/issueText';

/** What is wrong with a value of a field, in the words that the form has for it. */
export function issueSentence(issue: FieldIssue): string {
  const { language } = vscode.env;
  const [key, ...parts] = issueText(issue, {
    size: (bytes) => formatSize(bytes, language),
    formats: (types) => formatNames(types, language),
  });
  return vscode.l10n.t(englishIssueStrings[key], ...parts);
}
