import * as vscode from 'vscode';
import { lowestLimit } from '../../renders/lowestLimit';
import { settingSection, type SettingId } from '../ids';

/** Shows exactly this limit where it holds for a folder (URI): among the workspace's settings when those set it lower than the person's own. */
export async function openLimit(id: SettingId, root: string | undefined): Promise<void> {
  const folder = root === undefined ? undefined : vscode.Uri.parse(root, true);
  const found = vscode.workspace.getConfiguration(settingSection, folder).inspect(id);
  const own = lowestLimit([found?.globalValue]) ?? Infinity;
  const command =
    (lowestLimit([found?.workspaceValue, found?.workspaceFolderValue]) ?? Infinity) < own
      ? 'workbench.action.openWorkspaceSettings'
      : 'workbench.action.openSettings';
  await vscode.commands.executeCommand(command, `@id:${settingSection}.${id}`);
}
