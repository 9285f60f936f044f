import * as vscode from 'vscode';
import { reasonOf } from '../../base/errors';
import type { Lazy } from '../../base/lazy';
import type { Log } from '../../base/log';
import { ledgerName } from '../../renders/ledgerError';
import type { Connection } from '../account/connection';
import { exists } from '../exists';
import type { Renders } from './renders';

/**
 * Goes on with what an earlier window left: loads the renders when there is a ledger, and starts the sandbox when it owes something. Never
 * rejects: what fails is told by the view, and again at the next render.
 */
export async function resumeRenders(
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
    log.error(`Renders of earlier windows cannot be resumed: ${reasonOf(error)}`);
  }
}
