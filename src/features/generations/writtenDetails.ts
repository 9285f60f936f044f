import * as vscode from 'vscode';
import { detailsScheme } from '../../editor/ids';
import { generationDetails } from './model/generationDetails';
import type { Disposable } from '../../base/disposable';
import type { LibraryEntry } from '../../renders/library';
import type { Renders } from '../rendering/renders';
import { detailWords } from './detailWords';

/** Writes the documents of renders, and reports which open ones are outdated. */
export class WrittenDetails implements Disposable {
  /** The entry that each document was written from, by its URI. */
  private readonly written = new Map<string, LibraryEntry | undefined>();
  private readonly following: Disposable;

  constructor(
    private readonly library: Renders['library'],
    private readonly changed: Pick<vscode.EventEmitter<vscode.Uri>, 'fire'>,
  ) {
    this.following = library.onDidChange(() => this.update());
  }

  of(uri: vscode.Uri): string {
    const entry = this.library.get(uri.query);
    this.written.set(uri.toString(), entry);
    return entry ? generationDetails(entry, detailWords()) : vscode.l10n.t('This render is no longer in the list.');
  }

  dispose(): void {
    this.following.dispose();
  }

  private update(): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (uri.scheme === detailsScheme && this.library.get(uri.query) !== this.written.get(uri.toString()))
        this.changed.fire(uri);
  }
}
