import * as vscode from 'vscode';
import type { Disposables } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import { refreshBalance, refreshModels } from './model/refresh';
import { extensionId, walkthrough } from '../../editor/ids';
import type { Foundation } from '../../foundation';
import { showProblem } from '../../editor/commands';
import { sentenceOf } from '../../editor/words';
import type { TypedService } from './connectionChecks';
import type { AccountCommand } from './register';

/** Cents that a request for play money adds. */
const playCents = 2500;

/** The commands for the account, each with what it does. */
export type AccountCommands = Readonly<Record<AccountCommand, (...given: readonly unknown[]) => unknown>>;

/**
 * What the commands for the account do. In an editor under test, which shows no dialogs, `connect(address, key)` and
 * `setApiKey(key)` take what a user would type and resolve with the problem, if any, and `disconnect` needs no
 * confirmation.
 */
export function accountCommands(own: Disposables, foundation: Foundation): AccountCommands {
  const { context, settings, keys, clients, session, connection, statusBar, renders, log } = foundation;
  const { executeCommand } = vscode.commands;
  const testing = context.extensionMode === vscode.ExtensionMode.Test;
  const account = new Lazy(async () => {
    const { Account } = await import('./account');
    return new Account(connection, settings, keys, clients, context.globalState, log);
  });
  const dialogs = () => import('./accountDialogs');
  const checks = new Lazy(async () => {
    const { ConnectionChecks } = await import('./connectionChecks');
    return own.add(new ConnectionChecks(foundation));
  });
  const check = async (typed?: TypedService) => (await checks.get()).run(typed);
  return {
    connect: async (address, key) => {
      const used = await account.get();
      if (testing && typeof address === 'string' && typeof key === 'string')
        return used.connect(address, key).catch(sentenceOf);
      return (await dialogs()).connectDialog(used, check);
    },
    setApiKey: async (key) => {
      const used = await account.get();
      if (testing && typeof key === 'string') return used.connect(used.address ?? '', key).catch(sentenceOf);
      return (await dialogs()).keyDialog(used, check);
    },
    disconnect: async () => {
      const used = await account.get();
      tell(await (await dialogs()).disconnectDialog(used, connection.isSandbox, testing));
    },
    useSandbox: async () => tell(await (await account.get()).useSandbox()),
    addPlayMoney: () => connection.addPlayMoney(playCents),
    accountMenu: async () => {
      const { showAccountMenu } = await import('./accountDialogs');
      await showAccountMenu(await account.get(), statusBar, renders, tell);
    },
    refreshBalance: () => refreshBalance(session, connection, tell),
    refreshModels: () => refreshModels(session, connection),
    checkConnection: () => check(),
    copyCheck: async () => (await checks.get()).copy(),
    openSettings: () => executeCommand('workbench.action.openSettings', `@ext:${extensionId}`),
    showLog: () => log.show(),
    getStarted: () => executeCommand('workbench.action.openWalkthrough', walkthrough),
  };
}

function tell(problem: string | undefined): void {
  if (problem !== undefined) void showProblem(problem);
}
