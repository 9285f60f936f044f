import * as vscode from 'vscode';
import type { BudgetName } from '../../renders/budgets';
import { lowestLimit } from '../../renders/lowestLimit';
import { settingIds, settingSection, type SettingId } from '../../app/ids';

/** The setting for each limit. */
export const limitSettings: Readonly<Record<BudgetName, SettingId>> = {
  perDay: settingIds.budgetPerDay,
  perProject: settingIds.budgetPerProject,
};

/**
 * Shows this limit's setting where its value for a folder (URI) comes from: the workspace's settings if they set a
 * lower value than the person's own.
 */
export async function openLimit(name: BudgetName, root: string | undefined): Promise<void> {
  const id = limitSettings[name];
  const folder = root === undefined ? undefined : vscode.Uri.parse(root, true);
  const found = vscode.workspace.getConfiguration(settingSection, folder).inspect(id);
  const own = lowestLimit([found?.globalValue]) ?? Infinity;
  const command =
    (lowestLimit([found?.workspaceValue, found?.workspaceFolderValue]) ?? Infinity) < own
      ? 'workbench.action.openWorkspaceSettings'
      : 'workbench.action.openSettings';
  await vscode.commands.executeCommand(command, `@id:${settingSection}.${id}`);
}
