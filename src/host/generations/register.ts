import * as vscode from 'vscode';
import type { Owned } from '../../base/disposable';
import { actionIds, commands as ids } from '../../app/ids';
import type { Services } from '../../services';
import { RenderDetails } from './details';

/** The commands of the Generations view: those for the list, and one for each action on renders. */
export function register(own: Owned, services: Services): void {
  const { commands, generations, renders } = services;
  own.add(new RenderDetails(renders));
  for (const id of actionIds)
    commands.register(ids[id], async (item, items) => (await import('./resultActions')).act(id, item, items, services));
  commands.register(ids.refresh, async () => {
    const account = [ids.refreshModels, ids.refreshBalance].map((id) => vscode.commands.executeCommand(id));
    await Promise.all([generations.refresh(), ...account]);
  });
  commands.register(ids.searchGenerations, async () =>
    (await import('./searchBox')).askForSearch(await generations.contents),
  );
  commands.register(ids.clearSearch, async () => {
    (await generations.contents).search = '';
  });
  commands.register(ids.showOlder, async () => (await renders.get()).library.showOlder());
  commands.register(ids.forgetProject, async () =>
    (await import('./forgetGenerations')).forgetProject(await renders.get(), services),
  );
}
