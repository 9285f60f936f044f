import * as vscode from 'vscode';
import { type Disposables, Lazy } from '../../base/disposable';
import { extensionId, walkthrough } from '../../editor/ids';
import type { Foundation } from '../../foundation';
import { caughtUp } from '../../editor/boxes';
import { showProblem } from '../../editor/commands';
import { sentenceOf } from '../../editor/words';
import type { TypedService } from './connectionChecks';
import type { AccountCommand } from './register';
import type { Session } from '../../catalog/session';

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
  const { context, memory, settings, keys, clients, session, connection, statusBar, renders, log } = foundation;
  const { executeCommand } = vscode.commands;
  const testing = context.extensionMode === vscode.ExtensionMode.Test;
  const account = new Lazy(async () => {
    const { Account } = await import('./account');
    return new Account(connection, settings, keys, clients, memory.globalState, log);
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
    accountMenu: async () => (await dialogs()).showAccountMenu(await account.get(), statusBar, renders, tell),
    refreshBalance: () => refreshBalance(session, connection, tell),
    refreshModels: () => refreshModels(session, connection),
    checkConnection: () => check(),
    copyCheck: async () => (await checks.get()).copy(),
    openSettings: () => executeCommand('workbench.action.openSettings', `@ext:${extensionId}`),
    showLog: () => log.show(),
    getStarted: () => openWalkthrough(context),
    help: () => openHelp(context.extensionUri),
  };
}

/**
 * Until its Welcome page was open once, the editor doesn't know the walkthroughs of extensions, and shows its own: then
 * the second attempt shows ours.
 */
async function openWalkthrough({ extension }: vscode.ExtensionContext): Promise<void> {
  const { contributes } = extension.packageJSON as { contributes: { walkthroughs: readonly { title: string }[] } };
  const [ours] = contributes.walkthroughs;
  const open = () => vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough);
  await open();
  await caughtUp();
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  if (!ours || !activeTab?.label.includes(ours.title)) await open();
}

function tell(problem: string | undefined): void {
  if (problem !== undefined) void showProblem(problem);
}

/** Connects if nothing is connected yet. */
interface Connecting {
  ready(): Promise<void>;
}

/** Resolves with the balance in cents; undefined when unknown: `tell` then gets the problem to show, if any. */
export async function refreshBalance(
  session: Session,
  connection: Connecting,
  tell: (problem: string | undefined) => void,
): Promise<number | undefined> {
  await connection.ready();
  await session.refreshBalance();
  const { status, problem, balance } = session.state;
  if (status === 'connected') return balance?.cents;
  // A rejected key was reported already, with a way to change it.
  if (status !== 'keyRefused') tell(problem);
  return undefined;
}

/** Lets the list of models be read again, and the balance if the service isn't connected. */
export async function refreshModels(session: Session, connection: Connecting): Promise<void> {
  await connection.ready();
  session.refreshModels();
  if (session.state.status !== 'connected') await session.refreshBalance();
}

interface HelpPage extends vscode.QuickPickItem {
  /** Below the extension's folder. */
  readonly path: string;
}

function helpPages(): readonly HelpPage[] {
  return [
    {
      label: vscode.l10n.t('Overview'),
      description: vscode.l10n.t('every feature, with an image'),
      path: 'dist/overview.md',
    },
    { label: vscode.l10n.t('Render files'), path: 'media/help/render-files.md' },
    { label: vscode.l10n.t('Agents'), path: 'media/help/agents.md' },
    { label: vscode.l10n.t('API for extensions'), path: 'media/help/api.md' },
    { label: vscode.l10n.t('Troubleshooting'), path: 'media/help/troubleshooting.md' },
    { label: vscode.l10n.t('Third-party notices'), path: 'dist/THIRD-PARTY-NOTICES.txt' },
  ];
}

/** Shows the help page that the user chooses. */
export async function openHelp(extension: vscode.Uri): Promise<void> {
  const placeHolder = vscode.l10n.t('Select a page. All pages are in English.');
  const page = await vscode.window.showQuickPick(helpPages(), { title: vscode.l10n.t('Help'), placeHolder });
  if (page === undefined) return;
  const file = vscode.Uri.joinPath(extension, page.path);
  await vscode.commands.executeCommand(page.path.endsWith('.md') ? 'markdown.showPreview' : 'vscode.open', file);
}
