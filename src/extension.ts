import * as vscode from 'vscode';
import { systemClock } from './base/clock';
import { Owned } from './base/disposable';
import { Session } from './catalog/session';
import { Account } from './host/account';
import { registerAccountCommands } from './host/accountCommands';
import { ApiKeys } from './host/apiKey';
import { refreshOnFocus } from './host/balanceRefresh';
import { Clients } from './host/clients';
import { Commands } from './host/commands';
import { Connection } from './host/connection';
import { followAccount } from './host/contextKeys';
import { commands as ids } from './host/ids';
import { noticeRefusedKeys } from './host/keyNotice';
import { OutputLog } from './host/log';
import { copyModelId } from './host/modelPicker';
import { ModelsTree } from './host/modelsTree';
import { Settings } from './host/settings';
import { StatusBar } from './host/statusBar';
import { sentenceOf } from './host/words';
import { noticeWorkspaceAddress } from './host/workspaceNotice';

/** Makes the objects out of each other and returns; what is heavy loads on first use. */
export function activate(context: vscode.ExtensionContext): void {
  const { globalStorageUri, globalState, workspaceState, extensionMode } = context;
  const own = new Owned();
  context.subscriptions.push(own);
  const log = own.add(new OutputLog());
  const commands = own.add(new Commands(log));
  const settings = own.add(new Settings());
  const session = own.add(new Session(systemClock, sentenceOf));
  const keys = new ApiKeys(context.secrets, systemClock);
  const clients = own.add(new Clients(settings, globalStorageUri, log));
  const connection = own.add(new Connection(session, settings, keys, clients, globalStorageUri, log));

  // The account.
  const account = new Account(connection, settings, keys, clients, globalState, log);
  const statusBar = own.add(new StatusBar(session, connection, settings));
  const testing = extensionMode === vscode.ExtensionMode.Test;
  registerAccountCommands(commands, account, session, connection, statusBar, testing);
  own.add(followAccount(session, connection, settings));
  own.add(noticeRefusedKeys(session));
  own.add(refreshOnFocus(session, systemClock));
  commands.register(ids.showLog, () => log.show());

  // The models.
  own.add(new ModelsTree(session, connection, log));
  commands.register(ids.copyModelId, (model) => copyModelId(model));

  // The renders, the form.

  void connection.startUnlessSandbox();
  void noticeWorkspaceAddress(workspaceState);
}
