import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import type { Session } from '../../catalog/session';
import { showProblem, type Commands } from '../commands';
import { checkScheme, commands as ids } from '../ids';
import type { Account } from './account';
import type { Connection } from './connection';
import type { CheckParts } from './connectionChecks';
import type { StatusBar } from './statusBar';

/** What the sandbox gets when somebody asks for more, in cents. */
const playCents = 2500;

/** What the commands of the account work on. */
export interface AccountParts extends CheckParts {
  readonly account: Lazy<Account>;
  readonly statusBar: StatusBar;
  readonly renders: Lazy<unknown>;
  /** An editor under test shows no dialogs. */
  readonly testing: boolean;
}

/**
 * The commands of the account. Where `testing`, `connect(address, key)` and `setApiKey(key)` take what a person would type and
 * resolve with what is wrong with it, and `disconnect` asks nothing.
 */
export function registerAccountCommands(commands: Commands, parts: AccountParts): Disposable {
  const { account, session, connection, statusBar, renders, testing } = parts;
  const own = new Owned();
  const checks = new Lazy(async () => {
    const { ConnectionChecks } = await import('./connectionChecks');
    return own.add(new ConnectionChecks(parts));
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
  commands.register(ids.disconnect, async () => disconnect(await account.get(), connection, testing));
  commands.register(ids.useSandbox, async () => tell(await (await account.get()).useSandbox()));
  commands.register(ids.addPlayMoney, () => connection.addPlayMoney(playCents));
  commands.register(ids.accountMenu, async () => {
    const { showAccountMenu } = await import('./accountMenu');
    await showAccountMenu(await account.get(), statusBar, renders, tell);
  });
  commands.register(ids.refreshBalance, () => refreshBalance(session, connection));
  commands.register(ids.refreshModels, () => refreshModels(session, connection));
  commands.register(ids.checkConnection, async () => (await checks.get()).run());
  void closeOldChecks();
  return own;
}

/** The page of a check goes with its window: one that the editor brings back has nothing to say. Never rejects. */
async function closeOldChecks(): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const old = tabs.filter(({ input }) => input instanceof vscode.TabInputText && input.uri.scheme === checkScheme);
  if (old.length > 0) await vscode.window.tabGroups.close(old).then(undefined, () => false); // Closed by hand meanwhile.
}

const dialogs = () => import('./accountDialogs');

async function disconnect(account: Account, connection: Connection, testing: boolean): Promise<void> {
  const { address } = account;
  if (connection.isSandbox || address === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No service is connected; the sandbox needs no account.'));
  } else if (testing || (await (await dialogs()).confirmDisconnect(address))) {
    tell(await account.disconnect());
  }
}

/** Resolves with the balance in cents, undefined when it is not known. */
async function refreshBalance(session: Session, connection: Connection): Promise<number | undefined> {
  await connection.ready();
  await session.refreshBalance();
  const { status, problem, balance } = session.state;
  if (status === 'connected') return balance?.cents;
  // A refused key has been told of, once, with a way to change it.
  if (status !== 'keyRefused') tell(problem);
  return undefined;
}

async function refreshModels(session: Session, connection: Connection): Promise<void> {
  await connection.ready();
  session.refreshModels();
  if (session.state.status !== 'connected') await session.refreshBalance();
}

function tell(problem: string | undefined): void {
  if (problem !== undefined) void showProblem(problem);
}
