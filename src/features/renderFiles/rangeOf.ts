import * as vscode from 'vscode';
import type { Span } from '../../documents/span';

/** A span of a document as the editor has it. */
export function rangeOf(document: Pick<vscode.TextDocument, 'positionAt'>, { start, end }: Span): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}
