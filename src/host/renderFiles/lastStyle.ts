import type * as vscode from 'vscode';

/** Where the workspace remembers the style chosen last. */
export const lastKey = 'styles.last';

/** The ID of the style chosen last in this workspace; undefined for none. */
export function lastStyle(memory: Pick<vscode.Memento, 'get'>): string | undefined {
  return memory.get<string>(lastKey);
}
