import * as vscode from 'vscode';
import { noticeKeys } from './model/keyNotice';
import { type Clock, systemClock } from '../../base/clock';
import { type Disposable, type Disposables, Lazy } from '../../base/disposable';
import type { Log } from '../../base/log';
import type { Session } from '../../catalog/session';
import { followAccount } from './contextKeys';
import { checkScheme, commands as ids } from '../../editor/ids';
import type { Foundation } from '../../foundation';
import { exists } from '../../editor/exists';

/** An older balance is refreshed when the window gets the focus, ms. */
const oldMs = 60_000;

const commandIds = [
  'connect',
  'setApiKey',
  'disconnect',
  'useSandbox',
  'addPlayMoney',
  'accountMenu',
  'refreshBalance',
  'refreshModels',
  'checkConnection',
  'copyCheck',
  'openSettings',
  'showLog',
  'getStarted',
  'help',
] as const;

/** A command for the account. */
export type AccountCommand = (typeof commandIds)[number];

/** The account: its Status Bar item, notices about its key, and its commands. */
export function register(own: Disposables, foundation: Foundation): void {
  const { registered, context, commands, session, connection, settings, log } = foundation;
  own.add(noticeKeys(session, () => import('./notices')));
  own.add(refreshOnFocus(session, systemClock));
  const lookout = new Lazy(async () => {
    const { lookForService } = await import('./model/serviceAddress');
    return own.add(lookForService(session, systemClock, () => vscode.window.state.focused));
  });
  own.add(session.onDidChange(() => session.state.status === 'offline' && void lookout.get()));
  const all = new Lazy(async () => (await import('./accountCommands')).accountCommands(own, foundation));
  for (const id of commandIds) commands.register(ids[id], async (...given) => (await all.get())[id](...given));
  void registered.then(() => own.add(followAccount(session, connection, settings)));
  void registered.then(closeOldChecks);
  void registered.then(() => noticeAddresses(context.workspaceState, log));
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
    if (await (await import('./notices')).noticeWorkspaceAddress(file, workspaceState, log)) return;
  }
}

function settingsFiles(): vscode.Uri[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const files = folders.map(({ uri }) => vscode.Uri.joinPath(uri, '.vscode', 'settings.json'));
  const { workspaceFile } = vscode.workspace;
  return workspaceFile && workspaceFile.scheme !== 'untitled' ? [workspaceFile, ...files] : files;
}
