import * as vscode from 'vscode';
import { agentScheme } from '../../editor/ids';
import { Owned, type Disposable } from '../../base/disposable';

/** A page that shows what would change, until it's disposed. */
export async function showPreview(name: string, text: string, changes?: vscode.Uri): Promise<Disposable> {
  const own = new Owned();
  const page = vscode.Uri.from({ scheme: agentScheme, path: `/${name}` });
  own.add(
    vscode.workspace.registerTextDocumentContentProvider(agentScheme, { provideTextDocumentContent: () => text }),
  );
  const title = vscode.l10n.t('{0} (preview)', name);
  if (changes) await vscode.commands.executeCommand('vscode.diff', changes, page, title);
  else await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(page));
  own.add({ dispose: () => void closeTabs(page) });
  return own;
}

async function closeTabs(page: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shows = ({ input }: vscode.Tab) =>
    (input instanceof vscode.TabInputText && input.uri.toString() === page.toString()) ||
    (input instanceof vscode.TabInputTextDiff && input.modified.toString() === page.toString());
  // A tab that can't be closed was closed by hand.
  await vscode.window.tabGroups.close(tabs.filter(shows)).then(undefined, () => false);
}
