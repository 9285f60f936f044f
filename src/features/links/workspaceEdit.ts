import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { type Log, reasonOf } from '../../base/log';
import type { ReadEdits } from '../../documents/link';
import type { Edit } from '../../documents/scan';
import { showProblem } from '../../editor/commands';

/** One edit of several documents at the versions that were read. */
export function workspaceEdit(read: readonly ReadEdits<vscode.TextDocument>[]): vscode.WorkspaceEdit {
  const change = new vscode.WorkspaceEdit();
  for (const { document, edits } of read)
    for (const { start, end, text } of edits)
      change.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  return change;
}

/**
 * Applies edits to documents at the versions that were read; false, without any change, when one has changed since. A
 * visible document is edited through its editor, which checks the version in the same step; a workspace edit checks
 * earlier, so a key pressed in between would shift the positions.
 */
export async function applyAsRead(read: readonly ReadEdits<vscode.TextDocument>[]): Promise<boolean> {
  const [first, ...others] = read;
  const editor = vscode.window.visibleTextEditors.find(({ document }) => document === first?.document);
  if (!editor || !first || others.length > 0) return vscode.workspace.applyEdit(workspaceEdit(read));
  const { document, edits } = first;
  return editor.edit((builder) => {
    for (const { start, end, text } of edits)
      builder.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  });
}

type ReadDocument = ReadEdits<vscode.TextDocument>;

/** What a quick fix changes: a link of a document, or an entry of a render file. */
type Fixed = 'link' | 'entry';

/** Only a quick fix has their arguments, so they're in no list of commands. */
const ids: Readonly<Record<Fixed, string>> = {
  link: '_modelCatalog.changeLink',
  entry: '_modelCatalog.changeEntry',
};

/** Registers the command of `fixCommand` for these; call it once. */
export function offerFixes(fixed: Fixed, log: Log): Disposable {
  return vscode.commands.registerCommand(ids[fixed], (read: ReadDocument) => fix(fixed, read, log));
}

/**
 * A command for a quick fix that makes this edit in the document as it is now. Given the edit itself, the editor would
 * apply it at the same offsets to whatever the document is by then.
 */
export function fixCommand(fixed: Fixed, title: string, document: vscode.TextDocument, edit: Edit): vscode.Command {
  const read: ReadDocument = { document, version: document.version, edits: [edit] };
  return { command: ids[fixed], title, arguments: [read] };
}

/** Changes a document if it's still as it was read; otherwise reports that it can't. Never rejects. */
export async function fix(fixed: Fixed, read: ReadDocument, log: Log): Promise<void> {
  try {
    if (read.document.version === read.version && (await applyAsRead([read]))) return;
  } catch (error) {
    log.warn(`Couldn’t change the ${fixed}: ${reasonOf(error)}`);
  }
  void showProblem(
    fixed === 'link'
      ? vscode.l10n.t('The document couldn’t be changed. Use the Quick Fix on the link.')
      : vscode.l10n.t('The render file couldn’t be changed. Use the Quick Fix again.'),
  );
}
