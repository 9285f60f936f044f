import * as vscode from 'vscode';
import type { Target } from '../../renders/record';

/**
 * The very file that a document names and a result is to become; undefined where the result's name follows from a
 * template.
 */
export function targetFile({ root, folder, fileName, ending }: Target): vscode.Uri | undefined {
  if (root === undefined || ending === undefined) return undefined;
  return vscode.Uri.joinPath(vscode.Uri.parse(root, true), folder, `${fileName}.${ending}`);
}
