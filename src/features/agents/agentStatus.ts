import * as vscode from 'vscode';
import { commands } from '../../editor/ids';
import { Owned, type Disposable } from '../../base/disposable';
import { formatCents, spokenCents } from '../../base/money';
import type { Allowance } from '../../renders/allowance';

/** The agents' remaining allowance in the Status Bar, while there is one; a click stops them. */
export class AgentStatus implements Disposable {
  private readonly own = new Owned();
  private readonly item = this.own.add(
    vscode.window.createStatusBarItem('modelCatalog.agents', vscode.StatusBarAlignment.Left, 9),
  );

  constructor(private readonly allowance: Pick<Allowance, 'left' | 'onDidChange'>) {
    this.item.name = vscode.l10n.t('Model Catalog: Agents');
    this.item.command = commands.stopAgents;
    this.own.add(allowance.onDidChange(() => this.update()));
    this.update();
  }

  dispose(): void {
    this.own.dispose();
  }

  private update(): void {
    const { left } = this.allowance;
    if (left === undefined) return this.item.hide();
    const { language } = vscode.env;
    this.item.text = `$(robot) ${vscode.l10n.t('Agents: {0} left', formatCents(left, language))}`;
    this.item.tooltip = vscode.l10n.t(
      'Agents may spend {0} in this window without asking. Select to stop them.',
      formatCents(left, language),
    );
    this.item.accessibilityInformation = { label: vscode.l10n.t('Agents: {0} left', spokenCents(left, language)) };
    this.item.show();
  }
}
