import * as vscode from 'vscode';
import { earlierPrompts } from './earlierPrompts';
import { escapeForIcons } from '../base/plain';
import type { ModelKind } from '../catalog/fields';
import { openFolders } from '../editor/workspaceFiles';
import type { Library } from '../renders/library';

/** The prompts of renders for the open folders, the latest first, for models of a kind. */
export function promptsBefore(library: Library, kind: ModelKind | undefined): string[] {
  return earlierPrompts(library.entries, openFolders(), kind);
}

/** Lets the user pick one of these prompts; undefined when they cancel. */
export async function pickPrompt(prompts: readonly string[]): Promise<string | undefined> {
  const rows = prompts.map((prompt) => ({ label: escapeForIcons(prompt, 200), prompt }));
  const title = vscode.l10n.t('Earlier Prompts');
  const placeHolder = vscode.l10n.t('Search the prompts of this project');
  return (await vscode.window.showQuickPick(rows, { title, placeHolder }))?.prompt;
}
