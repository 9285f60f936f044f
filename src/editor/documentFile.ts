import * as vscode from 'vscode';

/** A cell of an open Jupyter notebook by the URI of its document; undefined for any other document. */
export function cellOf(document: vscode.Uri): vscode.NotebookCell | undefined {
  if (document.scheme !== 'vscode-notebook-cell') return undefined;
  const id = document.toString();
  const notebooks = vscode.workspace.notebookDocuments.filter(
    ({ uri, notebookType }) => notebookType === 'jupyter-notebook' && uri.path === document.path,
  );
  for (const notebook of notebooks)
    for (const cell of notebook.getCells()) if (cell.document.uri.toString() === id) return cell;
  return undefined;
}

/** The file that has a document: for a notebook's cell, the notebook. */
export function documentFile(document: vscode.Uri): vscode.Uri {
  return cellOf(document)?.notebook.uri ?? document;
}

/** The workspace folder that a document's file is in. */
export function documentFolder(document: vscode.Uri): vscode.WorkspaceFolder | undefined {
  return vscode.workspace.getWorkspaceFolder(documentFile(document));
}
