import * as vscode from 'vscode';
import { formatCents } from '../../base/format';
import { separator } from '../../editor/boxes';
import { commands, type CommandId } from '../../editor/ids';

/** What is known of agents in this window. */
export interface AgentState {
  /** What agents may still spend without asking, euro cents; undefined without an allowance. */
  readonly leftCents: number | undefined;
  /** How many of their renders wait for their turn or for the user. */
  readonly unsent: number;
  /** The names of the connected ones. */
  readonly connected: readonly string[];
}

interface AgentRow extends vscode.QuickPickItem {
  readonly command?: CommandId;
}

/** Shows what agents can do in this window, and changes it. */
export async function manageAgents({ leftCents, unsent, connected }: AgentState): Promise<void> {
  const left =
    leftCents === undefined
      ? vscode.l10n.t('Agents have no allowance. You’re asked before every render by an agent.')
      : vscode.l10n.t('Agents’ remaining allowance: {0}.', formatCents(leftCents, vscode.env.language));
  const rows: AgentRow[] = [
    ...(leftCents === undefined && unsent === 0
      ? []
      : [
          separator(vscode.l10n.t('Allowance')),
          row('circle-slash', stopWords(leftCents), commands.stopAgents, unsentWords(unsent)),
        ]),
    separator(vscode.l10n.t('Agents outside VS Code')),
    row('plug', vscode.l10n.t('Connect an Agent…'), commands.connectAgent),
    ...(connected.length === 0
      ? []
      : [row('debug-disconnect', vscode.l10n.t('Disconnect Agents'), commands.disconnectAgents, connected.join(', '))]),
  ];
  const options = { title: vscode.l10n.t('Model Catalog Agents'), placeHolder: left };
  const chosen = await vscode.window.showQuickPick(rows, options);
  if (chosen?.command !== undefined) await vscode.commands.executeCommand(chosen.command);
}

function stopWords(leftCents: number | undefined): string {
  return leftCents === undefined ? vscode.l10n.t('Cancel Agents’ Renders') : vscode.l10n.t('Revoke Agents’ Allowance');
}

function unsentWords(unsent: number): string | undefined {
  return unsent === 0 ? undefined : vscode.l10n.t('Not sent yet: {0}', unsent);
}

function row(icon: string, label: string, command: CommandId, description?: string): AgentRow {
  return { label, iconPath: new vscode.ThemeIcon(icon), description, command };
}
