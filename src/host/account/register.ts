import * as vscode from 'vscode';
import { noticeKeys } from '../../app/account/keyNotice';
import { systemClock, type Clock } from '../../base/clock';
import type { Disposable, Owned } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import type { Log } from '../../base/log';
import type { Session } from '../../catalog/session';
import { showProblem } from '../commands';
import { followAccount } from '../contextKeys';
import { checkScheme, commands as ids, extensionId, walkthrough } from '../../app/ids';
import type { Services } from '../../services';
import { exists } from '../files/exists';

/** Cents that a request for play money adds. */
const playCents = 2500;
/** An older balance is refreshed when the window gets the focus, ms. */
const oldMs = 60_000;

/**
 * The account: its Status Bar item, notices about its key, and its commands. In an editor under test, which shows no
 * dialogs, `connect(address, key)` and `setApiKey(key)` take what a person would type and resolve with the problem, if
 * any, and `disconnect` needs no confirmation.
 */
export function register(own: Owned, services: Services): void {
  const { context, commands, account, session, connection, settings, statusBar, renders } = services;
  const testing = context.extensionMode === vscode.ExtensionMode.Test;
  own.add(followAccount(session, connection, settings));
  own.add(noticeKeys(session, () => import('./keyTrouble')));
  own.add(refreshOnFocus(session, systemClock));
  const lookout = new Lazy(async () => {
    const { lookForService } = await import('../../app/account/comeBack');
    return own.add(lookForService(session, systemClock, () => vscode.window.state.focused));
  });
  own.add(session.onDidChange(() => session.state.status === 'offline' && void lookout.get()));
  const checks = new Lazy(async () => {
    const { ConnectionChecks } = await import('./connectionChecks');
    return own.add(new ConnectionChecks(services));
  });
  commands.register(ids.connect, async (address, key) => {
    const used = await account.get();
    if (testing && typeof address === 'string' && typeof key === 'string') return used.connect(address, key);
    return (await dialogs()).connectDialog(used);
  });
  commands.register(ids.setApiKey, async (key) => {
    const used = await account.get();
    if (testing && typeof key === 'string') return used.connect(used.address ?? '', key);
    return (await dialogs()).keyDialog(used);
  });
  commands.register(ids.disconnect, async () => {
    const used = await account.get();
    tell(await (await dialogs()).disconnectDialog(used, connection.isSandbox, testing));
  });
  commands.register(ids.useSandbox, async () => tell(await (await account.get()).useSandbox()));
  commands.register(ids.addPlayMoney, () => connection.addPlayMoney(playCents));
  commands.register(ids.accountMenu, async () => {
    const { showAccountMenu } = await import('./accountMenu');
    await showAccountMenu(await account.get(), statusBar, renders, tell);
  });
  commands.register(ids.refreshBalance, async () => (await refresh()).refreshBalance(session, connection, tell));
  commands.register(ids.refreshModels, async () => (await refresh()).refreshModels(session, connection));
  commands.register(ids.checkConnection, async () => (await checks.get()).run());
  commands.register(ids.copyCheck, async () => (await checks.get()).copy());
  commands.register(ids.openSettings, () =>
    vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${extensionId}`),
  );
  commands.register(ids.showLog, () => services.log.show());
  commands.register(ids.getStarted, () =>
    vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough),
  );
  void closeOldChecks();
  void noticeAddresses(context.workspaceState, services.log);
}

/** Refreshes the balance when the window gets the focus and the figure is older than a minute. */
function refreshOnFocus(session: Session, clock: Clock): Disposable {
  return vscode.window.onDidChangeWindowState(({ focused }) => {
    const at = session.state.balance?.at ?? 0;
    if (focused && session.client && clock.now() - at > oldMs) void session.refreshBalance();
  });
}

/** The result of a check lasts as long as its window: closes pages that the editor restored. Never rejects. */
async function closeOldChecks(): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const old = tabs.filter(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === checkScheme);
  // A tab that can't be closed was closed by hand meanwhile.
  if (old.length > 0) await vscode.window.tabGroups.close(old).then(undefined, () => false);
}

/** Looks for a service URL in the workspace's settings; most have none. Never rejects. */
async function noticeAddresses(workspaceState: vscode.Memento, log: Log): Promise<void> {
  for (const file of settingsFiles()) {
    if (!(await exists(file))) continue;
    if (await (await import('./workspaceNotice')).noticeWorkspaceAddress(file, workspaceState, log)) return;
  }
}

function settingsFiles(): vscode.Uri[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const files = folders.map(({ uri }) => vscode.Uri.joinPath(uri, '.vscode', 'settings.json'));
  const { workspaceFile } = vscode.workspace;
  return workspaceFile && workspaceFile.scheme !== 'untitled' ? [workspaceFile, ...files] : files;
}

const dialogs = () => import('./accountDialogs');
const refresh = () => import('../../app/account/refresh');

function tell(problem: string | undefined): void {
  if (problem !== undefined) void showProblem(problem);
}
