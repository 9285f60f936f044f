import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import type { Commands } from '../commands';
import { commands as ids, originScheme } from '../ids';
import type { ResultWorld } from '../renders/resultWorld';

/** What the explorer offers on files: how they were made, to make them again, and to compare them. Loads what it needs with the first use. */
export class Origins implements vscode.TextDocumentContentProvider, Disposable {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new vscode.EventEmitter<vscode.Uri>());

  readonly onDidChange = this.changed.event;

  constructor(
    commands: Commands,
    private readonly world: ResultWorld,
  ) {
    this.own.add(vscode.workspace.registerTextDocumentContentProvider(originScheme, this));
    commands.register(ids.howMade, async (file) => {
      const { showOrigin } = await import('./originActions');
      return showOrigin(file, (page) => this.changed.fire(page));
    });
    for (const id of ['renderFileAgain', 'copyFilePrompt', 'copyFileLink'] as const)
      commands.register(ids[id], async (file) => (await import('./originActions'))[id](file, world));
    for (const id of ['compareFiles', 'comparePrevious', 'compareHead'] as const)
      commands.register(ids[id], async (file, files) =>
        (await import('../compare/compareActions'))[id](file, files, world),
      );
  }

  async provideTextDocumentContent(page: vscode.Uri): Promise<string> {
    const { originPage } = await import('./originActions');
    return originPage(page, this.world);
  }

  dispose(): void {
    this.own.dispose();
  }
}
