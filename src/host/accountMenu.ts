import * as vscode from 'vscode';
import { formatCents } from '../base/money';
import { originWords, type AccountView } from './accountView';
import { commands, type CommandId } from './ids';

interface Entry extends vscode.QuickPickItem {
  readonly command?: CommandId;
}

/** What can be done with the account, each by its command. */
export async function showAccountMenu(view: AccountView): Promise<void> {
  const title = vscode.l10n.t('Model Catalog Account');
  const chosen = await vscode.window.showQuickPick(entries(view), { title, placeHolder: originWords(view) });
  if (chosen?.command) await vscode.commands.executeCommand(chosen.command);
}

function entries(view: AccountView): Entry[] {
  const account = view.sandbox
    ? [
        entry('plug', vscode.l10n.t('Connect to a Service…'), commands.connect),
        entry('add', vscode.l10n.t('Add Play Money'), commands.addPlayMoney),
      ]
    : [
        entry('key', vscode.l10n.t('Change API Key…'), commands.setApiKey),
        entry('plug', vscode.l10n.t('Connect to Another Service…'), commands.connect),
        entry('beaker', vscode.l10n.t('Use the Sandbox'), commands.useSandbox, vscode.l10n.t('play money')),
      ];
  const leave =
    view.sandbox || view.state.status === 'noKey'
      ? []
      : [entry('debug-disconnect', vscode.l10n.t('Disconnect…'), commands.disconnect)];
  return [
    separator(vscode.l10n.t('Balance')),
    entry('refresh', vscode.l10n.t('Refresh Balance'), commands.refreshBalance, balance(view)),
    separator(vscode.l10n.t('Account')),
    ...account,
    ...leave,
    separator(vscode.l10n.t('More')),
    entry('edit', vscode.l10n.t('Open Model…'), commands.openModel),
    entry('output', vscode.l10n.t('Show Log'), commands.showLog),
  ];
}

function balance({ state }: AccountView): string | undefined {
  return state.balance && formatCents(state.balance.cents, vscode.env.language);
}

function entry(icon: string, label: string, command: CommandId, description?: string): Entry {
  return { label, iconPath: new vscode.ThemeIcon(icon), command, description };
}

function separator(label: string): Entry {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
