import * as vscode from 'vscode';
import type { LinkPlace } from '../../documents/link';
import { syntaxOf } from '../../documents/syntax';
import { documentFolder } from '../../editor/workspaceFiles';

/**
 * The place at the cursor of the active editor; undefined if the document can't hold links, or none could lead to a
 * result.
 */
export function linkPlace(): LinkPlace | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && linkPlaceAt(editor.document, editor.selection.end);
}

/** The same for a position in any document. */
export function linkPlaceAt(
  document: vscode.TextDocument,
  { line, character }: vscode.Position,
): LinkPlace | undefined {
  const { uri, languageId } = document;
  if (!documentFolder(uri) || !syntaxOf(languageId, uri.path)) return undefined;
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) return undefined;
  return {
    uri: uri.toString(),
    name: uri.path.slice(uri.path.lastIndexOf('/') + 1),
    line: line + 1,
    character,
    text: document.lineAt(line).text,
  };
}
