import type * as vscode from 'vscode';
import type { Disposables, Lazy } from '../../base/disposable';
import { formViewType } from '../../editor/ids';
import { restorePages } from '../../editor/restorePages';

/** Restores the previous window's forms; the commands of their models open new ones. */
export function register(own: Disposables, forms: Lazy<vscode.WebviewPanelSerializer>): void {
  restorePages(own, formViewType, forms);
}
