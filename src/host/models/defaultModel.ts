import * as vscode from 'vscode';
import { settingIds, settingSection } from '../../app/ids';

/** The id of the default model of quick renders and links; empty for the last one used. Not loaded at activation. */
export function defaultModel(): string {
  const value: unknown = vscode.workspace.getConfiguration(settingSection).get(settingIds.defaultModel);
  return typeof value === 'string' ? value.trim() : '';
}
