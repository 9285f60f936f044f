import * as vscode from 'vscode';
import type { Owned } from '../base/disposable';
import type { Lazy } from '../base/lazy';

/** Has pages of this type come back when the window is loaded again. */
export function restorePages(own: Owned, viewType: string, pages: Lazy<vscode.WebviewPanelSerializer>): void {
  own.add(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (...panel) => (await pages.get()).deserializeWebviewPanel(...panel),
    }),
  );
}
