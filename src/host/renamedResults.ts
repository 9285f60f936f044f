import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import { repathed } from '../documents/edits';
import { linkPath } from '../documents/linkPath';
import { syntaxOf } from '../documents/syntax';
import type { Library, LibraryEntry } from '../renders/library';
import { pathIn, type DocumentLink, type DocumentLinks } from './documentLinks';
import { fileNameOf } from './fileName';
import { plain } from './plain';
import { targetFile } from './targetFile';

/** Asks whether links are to follow a result that could not take the name they give it: it is of another format, or the name was taken. */
export class RenamedResults implements Disposable {
  private readonly listening: Disposable;

  constructor(
    library: Pick<Library, 'onDidEnd'>,
    private readonly links: DocumentLinks,
    private readonly log: Log,
  ) {
    this.listening = library.onDidEnd((entry) => {
      if (isRenamed(entry)) void this.ask(entry);
    });
  }

  dispose(): void {
    this.listening.dispose();
  }

  /** Never rejects. */
  private async ask(entry: LibraryEntry): Promise<void> {
    try {
      const edit = await this.editFor(entry);
      if (edit.size === 0) return;
      const change = vscode.l10n.t('Change the Link');
      const question = vscode.l10n.t(
        'The picture is not of the format, or could not take the name, that the link gives it: it was saved as {0}.',
        plain(fileNameOf(entry.file ?? '')),
      );
      if ((await vscode.window.showInformationMessage(question, change)) !== change) return;
      // The documents may have changed while the question stood there.
      await vscode.workspace.applyEdit(await this.editFor(entry));
    } catch (error) {
      this.log.warn(`Links to ${entry.file ?? entry.id} could not be changed: ${reasonOf(error)}`);
    }
  }

  /** In every open document whose links wait for this render. */
  private async editFor(entry: LibraryEntry): Promise<vscode.WorkspaceEdit> {
    const edit = new vscode.WorkspaceEdit();
    for (const document of vscode.workspace.textDocuments) {
      const waiting = (await this.links.of(document)).filter((link) => link.entry?.id === entry.id);
      for (const link of waiting)
        for (const [uri, changes] of toRenamed(document, link)?.entries() ?? [])
          edit.set(uri, [...edit.get(uri), ...changes]);
    }
    return edit;
  }
}

/** The edit by which a link leads to the file its render was saved as; undefined when it does, or there is none in its folder. */
export function toRenamed(
  document: vscode.TextDocument,
  { link, entry }: DocumentLink,
): vscode.WorkspaceEdit | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  const syntax = syntaxOf(document.languageId, document.uri.path);
  if (!entry || !isRenamed(entry) || !folder || !syntax) return undefined;
  const file = vscode.Uri.parse(entry.file ?? '', true);
  if (vscode.workspace.getWorkspaceFolder(file) !== folder) return undefined;
  const { start, end, text } = repathed(link, linkPath(syntax, pathIn(folder, document.uri), pathIn(folder, file)));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  return edit;
}

/** True for a result that was saved under another name than the document’s it was rendered for. */
export function isRenamed({ state, file, record }: LibraryEntry): boolean {
  const wanted = record && targetFile(record.target)?.toString();
  return (
    state === 'saved' &&
    file !== undefined &&
    wanted !== undefined &&
    vscode.Uri.parse(file, true).toString() !== wanted
  );
}
