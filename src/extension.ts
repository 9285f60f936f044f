import type * as vscode from 'vscode';
import { Owned } from './base/disposable';
import { Commands } from './host/commands';
import { commands as ids } from './host/ids';
import { OutputLog } from './host/log';

/** Makes the objects out of each other and returns; what is heavy loads on first use. */
export function activate(context: vscode.ExtensionContext): void {
  const own = new Owned();
  context.subscriptions.push(own);
  const log = own.add(new OutputLog());
  const commands = own.add(new Commands(log));

  commands.register(ids.showLog, () => log.show());
}
