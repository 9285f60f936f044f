import * as vscode from 'vscode';
import type { Lazy } from '../../base/lazy';
import { commands, views, type CommandId } from '../../editor/ids';
import { iconless } from '../../base/plain';
import type { Account } from './account';
import {
  activeWords,
  balanceWords,
  capWords,
  lowWords,
  originWords,
  spentProjectWords,
  spentTodayWords,
  type AccountView,
} from './accountView';
import type { StatusBar } from './statusBar';

interface MenuEntry extends vscode.QuickPickItem {
  readonly run?: () => unknown;
}

/**
 * The state of the account, and what can be done with it. Loads the renders for their figures; shows the rest without
 * them. `tell` shows the problem, if any.
 */
export async function showAccountMenu(
  account: Account,
  statusBar: Pick<StatusBar, 'view'>,
  renders: Lazy<unknown>,
  tell: (problem: string | undefined) => void,
): Promise<void> {
  const entries = async () => {
    // The Generations view reports why renders can't be loaded.
    await renders.get().catch(() => undefined);
    return entriesOf(statusBar.view, account, tell);
  };
  const title = vscode.l10n.t('Model Catalog Account');
  const placeHolder = originWords(statusBar.view);
  const chosen = await vscode.window.showQuickPick(entries(), { title, placeHolder, matchOnDescription: true });
  await chosen?.run?.();
}

function entriesOf(view: AccountView, account: Account, tell: (problem: string | undefined) => void): MenuEntry[] {
  return [
    ...trouble(view),
    separator(vscode.l10n.t('Balance')),
    ...money(view),
    separator(vscode.l10n.t('Account')),
    ...(view.sandbox ? sandboxEntries(account, tell) : serviceEntries(view, account)),
    separator(vscode.l10n.t('More')),
    entry('pulse', vscode.l10n.t('Check Connection'), commands.checkConnection),
    entry('library', vscode.l10n.t('Open Model…'), commands.openModel),
    entry('settings-gear', vscode.l10n.t('Open Settings'), commands.openSettings),
    entry('output', vscode.l10n.t('Show Log'), commands.showLog),
  ];
}

/** Why the account can't be used, with the next step. */
function trouble({ state, sandbox }: AccountView): MenuEntry[] {
  const detail = state.problem === undefined ? undefined : iconless(state.problem, 300);
  switch (state.status) {
    case 'offline':
      return [
        {
          ...entry('debug-disconnect', vscode.l10n.t('Offline: Check Connection'), commands.checkConnection),
          detail,
        },
      ];
    case 'keyRefused':
      return [{ ...entry('error', vscode.l10n.t('API key rejected: Set API Key…'), commands.setApiKey), detail }];
    case 'noKey':
      return [
        {
          ...entry('key', vscode.l10n.t('No API key: Set API Key…'), commands.setApiKey),
          detail: vscode.l10n.t('Create a key in your account settings at the service, under API keys.'),
        },
      ];
    case 'unusable':
      return [
        {
          ...(sandbox
            ? entry('error', vscode.l10n.t('The sandbox couldn’t start: Show Log'), commands.showLog)
            : entry('error', vscode.l10n.t('Not connected: Connect to Service…'), commands.connect)),
          detail,
        },
      ];
    default:
      return [];
  }
}

function money(view: AccountView): MenuEntry[] {
  const low = lowWords(view);
  const cap = capWords(view);
  const refresh = vscode.l10n.t('refresh');
  const balance = balanceWords(view);
  const spent = [spentTodayWords(view), spentProjectWords(view)].filter((words) => words !== undefined);
  return [
    balance === undefined
      ? entry('refresh', vscode.l10n.t('Refresh Balance'), commands.refreshBalance)
      : { ...entry(low ? 'warning' : 'refresh', balance, commands.refreshBalance, refresh), detail: low },
    ...(cap === undefined ? [] : [inView('warning', cap)]),
    ...spent.map((words) => entry('graph', words, commands.showSpend, vscode.l10n.t('show spending'))),
    inView(view.active > 0 ? 'loading~spin' : 'history', activeWords(view), vscode.l10n.t('show in Generations')),
  ];
}

function sandboxEntries(account: Account, tell: (problem: string | undefined) => void): MenuEntry[] {
  const { address } = account;
  const back = async () => {
    const progress = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Connecting…') };
    tell(await vscode.window.withProgress(progress, () => account.reconnect(address ?? '')));
  };
  return [
    entry('add', vscode.l10n.t('Add Play Money'), commands.addPlayMoney),
    ...(address === undefined
      ? []
      : [{ ...row('arrow-swap', vscode.l10n.t('Switch Back to Service'), iconless(address)), run: back }]),
    entry('plug', vscode.l10n.t('Connect to Service…'), commands.connect),
  ];
}

function serviceEntries({ state }: AccountView, account: Account): MenuEntry[] {
  const { address } = account;
  const copy = () => vscode.env.clipboard.writeText(address ?? '');
  return [
    ...(address === undefined
      ? []
      : [{ ...row('copy', vscode.l10n.t('Copy Service URL'), iconless(address)), run: copy }]),
    entry('plug', vscode.l10n.t('Connect to Another Service…'), commands.connect),
    entry('key', vscode.l10n.t('Set API Key…'), commands.setApiKey),
    ...(state.status === 'noKey' ? [] : [entry('debug-disconnect', vscode.l10n.t('Disconnect'), commands.disconnect)]),
    entry('beaker', vscode.l10n.t('Switch to Sandbox'), commands.useSandbox, vscode.l10n.t('play money')),
  ];
}

/** A fact with its details in the Generations view. */
function inView(icon: string, label: string, description?: string): MenuEntry {
  return { ...row(icon, label, description), run: () => vscode.commands.executeCommand(`${views.generations}.focus`) };
}

function entry(icon: string, label: string, command: CommandId, description?: string): MenuEntry {
  return { ...row(icon, label, description), run: () => vscode.commands.executeCommand(command) };
}

function row(icon: string, label: string, description?: string): MenuEntry {
  return { label, iconPath: new vscode.ThemeIcon(icon), description };
}

function separator(label: string): MenuEntry {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
