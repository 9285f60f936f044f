import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import type { Services } from '../../services';
import type { EntryLens } from './entryLenses';
import type { RenderFiles } from './renderFiles';

/** Which documents are render files: what reads them loads with the first that is opened. */
const renderFileDocuments = { pattern: '**/{renders,*.renders}.jsonc' };

/** Lets the editor ask for the lenses of render files. */
export class RenderFileDoors implements Disposable {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new vscode.EventEmitter<void>());
  readonly files = new Lazy(() => this.load());

  constructor(private readonly services: Pick<Services, 'session' | 'quotes' | 'log'>) {
    const { session, quotes } = services;
    const lenses: vscode.CodeLensProvider<EntryLens> = {
      onDidChangeCodeLenses: this.changed.event,
      provideCodeLenses: async (document) => {
        const { lensesOf } = await import('./entryLenses');
        return lensesOf(document, await this.files.get());
      },
      resolveCodeLens: async (lens) => {
        const { withWords } = await import('./entryLenses');
        return withWords(lens, session, await quotes.get());
      },
    };
    this.own.add(vscode.languages.registerCodeLensProvider(renderFileDocuments, lenses));
  }

  dispose(): void {
    this.own.dispose();
  }

  private async load(): Promise<RenderFiles> {
    const { RenderFiles } = await import('./renderFiles');
    const files = this.own.add(new RenderFiles(this.services.session, this.services.log));
    this.own.add(files.onDidChange(() => this.changed.fire()));
    return files;
  }
}
