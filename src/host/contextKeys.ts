import * as vscode from 'vscode';
import { Owned, type Disposable } from '../base/disposable';
import type { Session } from '../catalog/session';
import type { Library } from '../renders/library';
import type { Connection } from './account/connection';
import { contextKeys, type ContextKey } from '../app/ids';
import type { Settings } from './settings';

/** Tells when-clauses where the account stands. */
export function followAccount(session: Session, connection: Connection, settings: Settings): Disposable {
  const own = new Owned();
  const tell = () => {
    setContext(contextKeys.status, session.state.status);
    setContext(contextKeys.sandbox, connection.isSandbox);
  };
  own.add(session.onDidChange(tell));
  own.add(settings.onDidChange(tell));
  tell();
  return own;
}

/** Tells the walkthrough of the first result; the editor remembers that the step was done. */
export function followRenders(library: Pick<Library, 'onDidEnd'>): Disposable {
  return library.onDidEnd(({ state }) => {
    if (state === 'saved') setContext(contextKeys.hasRendered, true);
  });
}

/** Sets a key of when-clauses. */
export function setContext(key: ContextKey, value: string | boolean | readonly string[]): void {
  void vscode.commands.executeCommand('setContext', key, value);
}
