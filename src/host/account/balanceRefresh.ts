import * as vscode from 'vscode';
import type { Clock } from '../../base/clock';
import type { Disposable } from '../../base/disposable';
import type { Session } from '../../catalog/session';

const oldMs = 60_000;

/** Asks for the balance when the window gets the focus and the figure is older than a minute. */
export function refreshOnFocus(session: Session, clock: Clock): Disposable {
  return vscode.window.onDidChangeWindowState(({ focused }) => {
    const at = session.state.balance?.at ?? -Infinity;
    if (focused && session.client && clock.now() - at > oldMs) void session.refreshBalance();
  });
}
