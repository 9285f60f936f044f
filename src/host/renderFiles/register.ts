import * as vscode from 'vscode';
import { commands as ids } from '../../app/ids';
import type { Owned } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import type { Services } from '../../services';

/** What render files show of their images, and rendering those that are due. It loads with the first render file. */
export function register(own: Owned, services: Services): void {
  const files = new Lazy(async () => own.add(new (await import('./renderFiles')).RenderFiles(services)));
  const load = ({ fileName }: vscode.TextDocument) => void (fileName.endsWith('renders.jsonc') && files.get());
  own.add(vscode.workspace.onDidOpenTextDocument(load));
  vscode.workspace.textDocuments.forEach(load);
  services.commands.register(ids.renderEntries, async (uri, entry) => {
    const { renderEntries } = await import('./renderEntries');
    return renderEntries(uri, entry, await files.get(), services);
  });
}
