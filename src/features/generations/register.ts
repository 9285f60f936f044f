import * as vscode from 'vscode';
import type { Lazy } from '../../base/disposable';
import { actionIds, commands as ids } from '../../editor/ids';
import type { Foundation, Verbs } from '../../foundation';
import type { Documents } from '../links/documents';
import type { OpenForms } from './removal';
import type { GenerationsView } from './generationsView';

/** The commands of the Generations view: those for the list, and one for each action on renders. */
export function register(
  foundation: Foundation,
  documents: Lazy<Documents>,
  view: GenerationsView,
  forms: { readonly ready: OpenForms | undefined },
  verbs: Verbs,
): void {
  const { commands, memory, renders } = foundation;
  const deps = { ...foundation, documents, view: view.view, forms, verbs };
  const actions = () => import('./resultActions');
  for (const id of actionIds)
    // How a render was made is a page of its own.
    if (id !== 'howMade')
      commands.register(ids[id], async (item, items) => (await actions()).act(id, item, items, deps));
  commands.register(ids.refresh, async () => {
    const account = [ids.refreshModels, ids.refreshBalance].map((id) => vscode.commands.executeCommand(id));
    await Promise.all([view.refresh(), ...account]);
  });
  commands.register(ids.searchGenerations, async () => (await import('./searchBox')).askForSearch(await view.contents));
  commands.register(ids.clearSearch, async () => {
    (await view.contents).search = '';
  });
  commands.register(ids.showOlder, async () => (await renders.get()).library.showOlder());
  commands.register(ids.forgetProject, async () =>
    (await import('./removal')).forgetProject(await renders.get(), memory, forms.ready),
  );
}
