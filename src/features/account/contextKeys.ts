import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import type { Session } from '../../catalog/session';
import type { Library } from '../../renders/library';
import type { Connection } from './connection';
import { contextKeys, type ContextKey } from '../../editor/ids';
import type { Settings } from '../../editor/settings';

/** Keeps the context keys of the account up to date. */
export function followAccount(session: Session, connection: Connection, settings: Settings): Disposable {
  const own = new Disposables();
  const tell = () => {
    setContext(contextKeys.status, session.state.status);
    setContext(contextKeys.sandbox, connection.isSandbox);
  };
  own.add(session.onDidChange(tell));
  own.add(settings.onDidChange(tell));
  tell();
  return own;
}

/** Tells the walkthrough about the first result; the editor remembers completed steps. */
export function followRenders(library: Library): Disposable {
  return library.onDidEnd(({ state }) => {
    if (state === 'saved') setContext(contextKeys.hasRendered, true);
  });
}

/** Sets a context key. */
export function setContext(key: ContextKey, value: string | boolean | readonly string[]): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
