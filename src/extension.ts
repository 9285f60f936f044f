import type * as vscode from 'vscode';
import { openApp } from './app';
import { Owned } from './base/disposable';

/** Registers every feature and returns; heavy code loads on first use. */
export function activate(context: vscode.ExtensionContext): void {
  const own = new Owned();
  context.subscriptions.push(own);
  openApp(own, context);
}
