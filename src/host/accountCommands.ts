import * as vscode from 'vscode';
import type { Session } from '../catalog/session';
import type { Account } from './account';
import { confirmDisconnect, connectDialog, keyDialog } from './accountDialogs';
import { showAccountMenu } from './accountMenu';
import { showProblem, type Commands } from './commands';
import type { Connection } from './connection';
import { commands as ids } from './ids';
import type { StatusBar } from './statusBar';

/** What the sandbox gets when somebody asks for more, in cents. */
const playCents = 2500;

/**
 * The commands of the account. Where `testing`, `connect(address, key)` and `setApiKey(key)` take what a person would type and
 * resolve with what is wrong with it, and `disconnect` asks nothing: an editor under test shows no dialogs.
 */
export function registerAccountCommands(
  commands: Commands,
  account: Account,
  session: Session,
  connection: Connection,
  statusBar: StatusBar,
  testing: boolean,
): void {
  commands.register(ids.connect, (address, key) =>
    testing && typeof address === 'string' && typeof key === 'string'
      ? account.connect(address, key)
      : connectDialog(account),
  );
  commands.register(ids.setApiKey, (key) =>
    testing && typeof key === 'string' ? account.connect(account.address ?? '', key) : keyDialog(account),
  );
  commands.register(ids.disconnect, () => disconnect(account, connection, testing));
  commands.register(ids.useSandbox, async () => tell(await account.useSandbox()));
  commands.register(ids.addPlayMoney, () => connection.addPlayMoney(playCents));
  commands.register(ids.accountMenu, () => showAccountMenu(statusBar.view));
  commands.register(ids.refreshBalance, () => refreshBalance(session, connection));
  commands.register(ids.refreshModels, () => refreshModels(session, connection));
}

async function disconnect(account: Account, connection: Connection, testing: boolean): Promise<void> {
  const { address } = account;
  if (connection.isSandbox || address === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No service is connected; the sandbox needs no account.'));
  } else if (testing || (await confirmDisconnect(address))) {
    tell(await account.disconnect());
  }
}

/** Resolves with the balance in cents, undefined when it is not known. */
async function refreshBalance(session: Session, connection: Connection): Promise<number | undefined> {
  await usable(session, connection);
  await session.refreshBalance();
  const { status, problem, balance } = session.state;
  if (status === 'connected') return balance?.cents;
  // A refused key has been told of, once, with a way to change it.
  if (status !== 'keyRefused') tell(problem);
  return undefined;
}

async function refreshModels(session: Session, connection: Connection): Promise<void> {
  await usable(session, connection);
  session.refreshModels();
  if (session.state.status !== 'connected') await session.refreshBalance();
}

/** Connects, anew where there was nothing to make a client of: a keyring may have been unlocked since. */
async function usable(session: Session, connection: Connection): Promise<void> {
  await connection.start();
  if (!session.client) await connection.restart();
}

function tell(problem: string | undefined): void {
  if (problem !== undefined) void showProblem(problem);
}
