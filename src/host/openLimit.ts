import * as vscode from 'vscode';
import { lowestLimit } from '../renders/lowestLimit';
import { settingSection, type SettingId } from './ids';

/** Shows exactly this limit where it holds: among the workspace's settings when those set it lower than the person's own. */
export async function openLimit(id: SettingId): Promise<void> {
  const found = vscode.workspace.getConfiguration(settingSection).inspect(id);
  const own = lowestLimit([found?.globalValue]) ?? Infinity;
  const command =
    (lowestLimit([found?.workspaceValue]) ?? Infinity) < own
      ? 'workbench.action.openWorkspaceSettings'
      : 'workbench.action.openSettings';
  await vscode.commands.executeCommand(command, `@id:${settingSection}.${id}`);
}
