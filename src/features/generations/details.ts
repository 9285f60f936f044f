import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import { detailsScheme, pageLanguage } from '../../editor/ids';
import type { Renders } from '../rendering/renders';

/** Read-only documents with everything known about a render. Loads their code with the first. */
export class RenderDetails implements vscode.TextDocumentContentProvider, Disposable {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;
  private readonly written = new Lazy(async () => {
    const { WrittenDetails } = await import('./writtenDetails');
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
