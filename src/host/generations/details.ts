import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import { detailsScheme, originScheme, pageLanguage } from '../../app/ids';
import type { Renders } from '../renders/renders';

/** Read-only documents that tell all that is known of one render. What writes them loads with the first. */
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

/** Also of a document that the editor brought back after a restart. */
async function asDetails(document: vscode.TextDocument): Promise<void> {
  const { scheme } = document.uri;
  if ((scheme === detailsScheme || scheme === originScheme) && document.languageId !== pageLanguage)
    await vscode.languages.setTextDocumentLanguage(document, pageLanguage);
}
