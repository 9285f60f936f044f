import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import type { ReadEdits } from '../../documents/asRead';
import type { Edit } from '../../documents/span';
import { showProblem } from '../commands';
import { applyAsRead } from './workspaceEdit';

type ReadDocument = ReadEdits<vscode.TextDocument>;

/** Nobody but a quick fix has what it needs, so that it is in no list of commands. */
const id = '_modelCatalog.changeLink';

/** Has the commands of `linkChange` work; to be called once. */
export function offerLinkChanges(log: Log): Disposable {
  return vscode.commands.registerCommand(id, (read: ReadDocument) => changeLink(read, log));
}

/**
 * What a quick fix runs that makes this edit of the document as it is now. Given the edit itself, the editor would make
 * it at its places in whatever the document is by then.
 */
export function linkChange(title: string, document: vscode.TextDocument, edit: Edit): vscode.Command {
  const read: ReadDocument = { document, version: document.version, edits: [edit] };
  return { command: id, title, arguments: [read] };
}

/** Changes a document that is still as it was read, or says that it cannot. Never rejects. */
export async function changeLink(read: ReadDocument, log: Log): Promise<void> {
  try {
    if (read.document.version === read.version && (await applyAsRead([read]))) return;
  } catch (error) {
    log.warn(`Couldn’t change a link: ${reasonOf(error)}`);
  }
  void showProblem(vscode.l10n.t('The document couldn’t be changed. Use the Quick Fix on the link.'));
}
