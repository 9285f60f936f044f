import * as vscode from 'vscode';
import { commands as ids } from '../../editor/ids';
import type { AgentTools } from './model/agentTools';
import type { Disposables } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import { agentsFolder } from '../../relay/agentsFolder';
import type { Foundation } from '../../foundation';
import { exists } from '../../editor/exists';

/**
 * Agents outside the editor: the commands that connect and disconnect them, and this window's server, which runs only
 * while agents are connected.
 */
export function register(own: Disposables, { commands, context, log }: Foundation, tools: Lazy<AgentTools>): void {
  const windowEnd = new Lazy(async () => own.add(new (await import('./windowEnd')).WindowEnd(context, tools, log)));
  commands.register(ids.connectAgent, async () => (await windowEnd.get()).connect());
  commands.register(ids.disconnectAgents, async () => (await windowEnd.get()).disconnect());
  const follow = async () => {
    const isConnected = await exists(vscode.Uri.joinPath(context.globalStorageUri, agentsFolder));
    if (isConnected || windowEnd.ready) await (await windowEnd.get()).follow(isConnected);
  };
  void follow();
  // The editor brings the window to the front, and with it the question that an agent waits for: that is all.
  own.add(vscode.window.registerUriHandler({ handleUri: () => {} }));
  // Another window may have connected the first agent, or disconnected all.
  own.add(vscode.window.onDidChangeWindowState(follow));
}
