import * as vscode from 'vscode';
import { syntaxOf } from '../documents/syntax';

/** Where a link to a result can be inserted: at the cursor of a document of an open folder. */
export interface LinkPlace {
  /** URI of the document. */
  readonly uri: string;
  /** The document's file name. */
  readonly name: string;
  /** The cursor's line, from 1. */
  readonly line: number;
}

/** The place at the cursor of the active editor; undefined where no link can stand, or none would lead to a result. */
export function linkPlace(): LinkPlace | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  const { uri, languageId } = document;
  if (!vscode.workspace.getWorkspaceFolder(uri) || !syntaxOf(languageId, uri.path)) return undefined;
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) return undefined;
  return {
    uri: uri.toString(),
    name: uri.path.slice(uri.path.lastIndexOf('/') + 1),
    line: selection.active.line + 1,
  };
}
