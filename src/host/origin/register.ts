import * as vscode from 'vscode';
import type { Owned } from '../../base/disposable';
import { commands as ids, originScheme } from '../../app/ids';
import type { Services } from '../../services';
import { followFiles } from '../files/followFiles';

/**
 * The Explorer's commands for files: how they were made, making them again, and comparing them. Loads its code on first
 * use.
 */
export function register(own: Owned, services: Services): void {
  const { commands, log } = services;
  const changed = own.add(new vscode.EventEmitter<vscode.Uri>());
  own.add(
    vscode.workspace.registerTextDocumentContentProvider(originScheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: async (page) => (await import('./originActions')).originPage(page, services),
    }),
  );
  own.add(followFiles(log));
  commands.register(ids.howMade, async (file) => {
    const { showOrigin } = await import('./originActions');
    return showOrigin(file, (page) => changed.fire(page));
  });
  for (const id of ['renderFileAgain', 'copyFilePrompt', 'copyFileLink'] as const)
    commands.register(ids[id], async (file) => (await import('./originActions'))[id](file, services));
}
