import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import type { ReadEdits } from '../../documents/asRead';
import type { Edit } from '../../documents/span';
import { showProblem } from '../commands';
import { applyAsRead } from './workspaceEdit';

type ReadDocument = ReadEdits<vscode.TextDocument>;

/** Only a quick fix has its arguments, so it's in no list of commands. */
const id = '_modelCatalog.changeLink';

/** Registers the command of `linkChange`; call it once. */
export function offerLinkChanges(log: Log): Disposable {
  return vscode.commands.registerCommand(id, (read: ReadDocument) => changeLink(read, log));
}

/**
 * A command for a quick fix that makes this edit in the document as it is now. Given the edit itself, the editor would
 * apply it at the same offsets to whatever the document is by then.
 */
export function linkChange(title: string, document: vscode.TextDocument, edit: Edit): vscode.Command {
  const read: ReadDocument = { document, version: document.version, edits: [edit] };
  return { command: id, title, arguments: [read] };
}

/** Changes a document if it's still as it was read; otherwise reports that it can't. Never rejects. */
export async function changeLink(read: ReadDocument, log: Log): Promise<void> {
  try {
    if (read.document.version === read.version && (await applyAsRead([read]))) return;
  } catch (error) {
    log.warn(`Couldn’t change a link: ${reasonOf(error)}`);
  }
  void showProblem(vscode.l10n.t('The document couldn’t be changed. Use the Quick Fix on the link.'));
}
