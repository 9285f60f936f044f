import * as vscode from 'vscode';
import type { Disposables } from '../base/disposable';
import type { Lazy } from '../base/lazy';

/** Restores pages of this type when the window reloads. */
export function restorePages(own: Disposables, viewType: string, pages: Lazy<vscode.WebviewPanelSerializer>): void {
  own.add(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (...panel) => (await pages.get()).deserializeWebviewPanel(...panel),
    }),
  );
}
