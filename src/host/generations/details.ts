import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import type { Lazy } from '../../base/lazy';
import type { LibraryEntry } from '../../renders/library';
import { detailsScheme, originScheme, pageLanguage } from '../../app/ids';
import type { Renders } from '../renders/renders';

/** Read-only documents that tell all that is known of one render, and follow it while they are open. */
export class RenderDetails implements vscode.TextDocumentContentProvider, Disposable {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new vscode.EventEmitter<vscode.Uri>());
  /** What each document was written from, by its address. */
  private readonly written = new Map<string, LibraryEntry | undefined>();
  private following = false;

  readonly onDidChange = this.changed.event;

  constructor(private readonly renders: Lazy<Renders>) {
    this.own.add(vscode.workspace.registerTextDocumentContentProvider(detailsScheme, this));
    this.own.add(vscode.workspace.onDidOpenTextDocument((document) => void asDetails(document)));
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const { library } = await this.renders.get();
    this.follow(library);
    const entry = library.get(uri.query);
    this.written.set(uri.toString(), entry);
    if (!entry) return vscode.l10n.t('This render is no longer in the list.');
    const [{ generationDetails }, { detailWords }] = await Promise.all([
      import('../../app/generations/generationDetails'),
      import('./detailWords'),
    ]);
    return generationDetails(entry, detailWords());
  }

  dispose(): void {
    this.own.dispose();
  }

  private follow(library: Renders['library']): void {
    if (this.following) return;
    this.following = true;
    this.own.add(library.onDidChange(() => this.update(library)));
  }

  private update(library: Renders['library']): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === detailsScheme && library.get(uri.query) !== this.written.get(uri.toString()))
        this.changed.fire(uri);
  }
}

/** Also of a document that the editor brought back after a restart. */
async function asDetails(document: vscode.TextDocument): Promise<void> {
  const { scheme } = document.uri;
  if ((scheme === detailsScheme || scheme === originScheme) && document.languageId !== pageLanguage)
    await vscode.languages.setTextDocumentLanguage(document, pageLanguage);
}
