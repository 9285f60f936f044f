import * as vscode from 'vscode';
import type { Disposables, Lazy } from '../base/disposable';

/** Restores pages of this type when the window reloads. */
export function restorePages(own: Disposables, viewType: string, pages: Lazy<vscode.WebviewPanelSerializer>): void {
  own.add(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (...panel) => (await pages.get()).deserializeWebviewPanel(...panel),
    }),
  );
}
