import * as vscode from 'vscode';
import { commands as ids, toolNames } from '../../editor/ids';
import type { Disposables } from '../../base/disposable';
import type { Foundation } from '../../foundation';
import type { Lazy } from '../../base/lazy';
import type { Tools } from './tools';

/** The tools for the editor's agents, and the command that stops them. Loads with the first call. */
export function register(
  own: Disposables,
  { commands, renders, session, settings }: Foundation,
  tools: Lazy<Tools>,
): void {
  const load = () => import('./invocations');
  for (const name of toolNames) {
    const tool: vscode.LanguageModelTool<unknown> = {
      invoke: async ({ input }, token) => (await load()).invoked(tools, name, input, token),
      prepareInvocation: async ({ input }, token) =>
        (await load()).prepared(tools, renders, session, name, input, token),
    };
    own.add(vscode.lm.registerTool(`modelCatalog_${name}`, tool));
  }
  commands.register(ids.stopAgents, async () => (await load()).stopAgents(await renders.get(), settings));
}
