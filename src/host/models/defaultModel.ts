import * as vscode from 'vscode';
import { settingIds, settingSection } from '../../app/ids';

/** The id of the model that quick renders and links begin with; empty for the one used last. Not needed to activate. */
export function defaultModel(): string {
  const value: unknown = vscode.workspace.getConfiguration(settingSection).get(settingIds.defaultModel);
  return typeof value === 'string' ? value.trim() : '';
}
