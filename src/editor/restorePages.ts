import * as vscode from 'vscode';
import type { Owned } from '../base/disposable';
import type { Lazy } from '../base/lazy';

/** Restores pages of this type when the window reloads. */
export function restorePages(own: Owned, viewType: string, pages: Lazy<vscode.WebviewPanelSerializer>): void {
  own.add(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (...panel) => (await pages.get()).deserializeWebviewPanel(...panel),
    }),
  );
}
