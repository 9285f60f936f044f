import * as vscode from 'vscode';
import { commands as ids, toolNames } from '../../editor/ids';
import { type Disposables, Lazy } from '../../base/disposable';
import { agentsFolder } from '../../relay/agentsFolder';
import type { Foundation } from '../../foundation';
import { exists } from '../../editor/exists';
import type { Tools } from './tools';

/**
 * The tools for the editor's agents, the commands for all agents, and this window's server for those outside the
 * editor, which runs only while some are connected.
 */
export function register(own: Disposables, foundation: Foundation, tools: Lazy<Tools>): void {
  offerTools(own, foundation, tools);
  const { registered, commands, context, renders, log } = foundation;
  const windowEnd = new Lazy(async () => own.add(new (await import('./windowEnd')).WindowEnd(context, tools, log)));
  commands.register(ids.manageAgents, async () => {
    const { manageAgents, connectedAgents } = await import('./connectAgent');
    // The Generations view reports why renders can't be loaded.
    const opened = await renders.get().catch(() => undefined);
    await manageAgents({
      leftCents: opened?.orders.allowance.left,
      unsent: opened?.orders.unsentOfAgents ?? 0,
      connected: await connectedAgents(context),
    });
  });
  commands.register(ids.connectAgent, async () => (await windowEnd.get()).connect());
  commands.register(ids.disconnectAgents, async () => (await windowEnd.get()).disconnect());
  const follow = async () => {
    const isConnected = await exists(vscode.Uri.joinPath(context.globalStorageUri, agentsFolder));
    if (isConnected || windowEnd.ready) await (await windowEnd.get()).follow(isConnected);
  };
  void registered.then(follow);
  // The editor brings the window to the front, and with it the question that an agent waits for: that is all.
  own.add(vscode.window.registerUriHandler({ handleUri: () => {} }));
  // Another window may have connected the first agent, or disconnected all.
  own.add(vscode.window.onDidChangeWindowState(follow));
}

/** Loads their code with the first call. */
function offerTools(own: Disposables, { commands, renders, session, settings }: Foundation, tools: Lazy<Tools>): void {
  const load = () => import('./invocations');
  for (const name of toolNames) {
    const tool: vscode.LanguageModelTool<unknown> = {
      invoke: async ({ input }, token) => (await load()).invoked(tools, name, input, token),
      prepareInvocation: async ({ input }, token) =>
        (await load()).prepared(tools, renders, session, name, input, token),
    };
    own.add(vscode.lm.registerTool(`modelCatalog_${name}`, tool));
  }
  commands.register(ids.stopAgents, async () => (await load()).stopAgents((await renders.get()).orders, settings));
}
