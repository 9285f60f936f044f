import * as vscode from 'vscode';
import { commands as ids } from '../../editor/ids';
import { type Log, reasonOf } from '../../base/log';
import { copied } from '../../base/json';
import type { Lazy } from '../../base/disposable';
import { ledgerName } from '../../renders/ledgerError';
import type { Foundation } from '../../foundation';
import type { Connection } from '../account/connection';
import { exists } from '../../editor/exists';
import type { Renders } from './renders';

/** The command that programs render with, and resuming what an earlier window left. */
export function register(foundation: Foundation): void {
  const { registered, commands, context, renders, session, connection, log } = foundation;
  commands.offer(ids.render, async (given) => {
    // Copied before any await: later changes by the caller have no effect.
    const request = copied(given);
    const { renderCommand } = await import('./renderCommand');
    return renderCommand(request, renders, session, connection);
  });
  void registered.then(() => resumeRenders(renders, connection, context.globalStorageUri, log));
}

/**
 * Resumes what an earlier window left: loads the renders if there is a ledger, and starts the sandbox if it has
 * unfinished ones. Never rejects: the view reports failures, as does the next render.
 */
async function resumeRenders(
  renders: Lazy<Renders>,
  connection: Connection,
  storage: vscode.Uri,
  log: Log,
): Promise<void> {
  try {
    if (!(await exists(vscode.Uri.joinPath(storage, ledgerName)))) return;
    const opened = await renders.get();
    if (connection.isSandbox && opened.sandboxIsOwed()) await connection.start();
  } catch (error) {
    log.error(`Couldn’t resume renders of earlier windows: ${reasonOf(error)}`);
  }
}
