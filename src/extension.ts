import type * as vscode from 'vscode';
import { openApp } from './app';
import { Disposables } from './base/disposable';

/** Registers every feature and returns; heavy code loads on first use. */
export function activate(context: vscode.ExtensionContext): void {
  const own = new Disposables();
  context.subscriptions.push(own);
  openApp(own, context);
}
