import * as vscode from 'vscode';
import { commands as ids, toolNames } from '../../app/ids';
import type { Owned } from '../../base/disposable';
import type { Services } from '../../services';

/** The tools for the editor's agents, and the command that stops them. Loads with the first call. */
export function register(own: Owned, services: Services): void {
  const load = () => import('./invocations');
  for (const name of toolNames) {
    const tool: vscode.LanguageModelTool<unknown> = {
      invoke: async ({ input }, token) => (await load()).invoked(services, name, input, token),
      prepareInvocation: async ({ input }, token) => (await load()).prepared(services, name, input, token),
    };
    own.add(vscode.lm.registerTool(`modelCatalog_${name}`, tool));
  }
  services.commands.register(ids.stopAgents, async () => (await load()).stopAgents(services));
}
