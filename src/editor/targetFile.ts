import * as vscode from 'vscode';
import type { Target } from '../renders/record';

/** The file that a document names and a result will become; undefined when the result's name comes from a template. */
export function targetFile({ root, folder, fileName, ending }: Target): vscode.Uri | undefined {
  if (root === undefined || ending === undefined) return undefined;
  return vscode.Uri.joinPath(vscode.Uri.parse(root, true), folder, `${fileName}.${ending}`);
}
