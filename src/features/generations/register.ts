import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import { actionIds, commands as ids, detailsScheme, pageLanguage } from '../../editor/ids';
import type { Foundation, Verbs } from '../../foundation';
import type { Documents } from '../links/documents';
import type { Renders } from '../rendering/renders';
import type { OpenForms } from './deleteGenerations';
import type { GenerationsView } from './generationsView';

/** The commands of the Generations view: those for the list, and one for each action on renders. */
export function register(
  own: Disposables,
  foundation: Foundation,
  documents: Lazy<Documents>,
  view: GenerationsView,
  forms: { readonly ready: OpenForms | undefined },
  verbs: Verbs,
): void {
  const { commands, context, renders } = foundation;
  const deps = { ...foundation, documents, view, forms, verbs };
  own.add(new RenderDetails(renders));
  for (const id of actionIds)
    commands.register(ids[id], async (item, items) => (await import('./resultActions')).act(id, item, items, deps));
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
    (await import('./deleteGenerations')).forgetProject(await renders.get(), context, forms.ready),
  );
}

/** Read-only documents with everything known about a render. Loads their code with the first. */
class RenderDetails implements vscode.TextDocumentContentProvider, Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;
  private readonly written = new Lazy(async () => {
    const { WrittenDetails } = await import('./detailWords');
    return this.own.add(new WrittenDetails((await this.renders.get()).library, this.changed));
  });

  constructor(private readonly renders: Lazy<Renders>) {
    this.own.add(vscode.workspace.registerTextDocumentContentProvider(detailsScheme, this));
    this.own.add(vscode.workspace.onDidOpenTextDocument((document) => void asDetails(document)));
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return (await this.written.get()).of(uri);
  }

  dispose(): void {
    this.own.dispose();
  }
}

/** Also for documents that the editor restored. */
async function asDetails(document: vscode.TextDocument): Promise<void> {
  if (document.uri.scheme === detailsScheme && document.languageId !== pageLanguage)
    await vscode.languages.setTextDocumentLanguage(document, pageLanguage);
}
