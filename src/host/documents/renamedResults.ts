import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import { repathed } from '../../documents/edits';
import { linkPath } from '../../documents/linkPath';
import { syntaxOf } from '../../documents/syntax';
import type { Library, LibraryEntry } from '../../renders/library';
import { fileNameOf } from '../fileName';
import { plain } from '../plain';
import { targetFile } from '../renders/targetFile';
import { pathIn, type DocumentLink, type DocumentLinks } from './documentLinks';

/** Asks whether links are to follow a result that could not take the name they give it: it is of another format, or the name was taken. */
export class RenamedResults implements Disposable {
  private readonly listening: Disposable;
  private readonly held = new Set<string>();

  constructor(
    library: Pick<Library, 'onDidEnd'>,
    private readonly links: DocumentLinks,
    private readonly log: Log,
  ) {
    this.listening = library.onDidEnd((entry) => {
      if (!this.held.has(entry.id)) void this.ask([entry], []);
    });
  }

  dispose(): void {
    this.listening.dispose();
  }

  /** Leaves it to the caller to `ask` about these renders (keys), until it is disposed. */
  hold(keys: readonly string[]): Disposable {
    for (const key of keys) this.held.add(key);
    return { dispose: () => keys.forEach((key) => this.held.delete(key)) };
  }

  /** One question for all of them, in every open document and in these others (URIs). Never rejects. */
  async ask(entries: readonly LibraryEntry[], others: readonly string[]): Promise<void> {
    const renamed = entries.filter(isRenamed);
    if (renamed.length === 0) return;
    try {
      if ((await this.editFor(renamed, others)).size === 0 || !(await agrees(renamed))) return;
      // The documents may have changed while the question stood there.
      await vscode.workspace.applyEdit(await this.editFor(renamed, others));
    } catch (error) {
      this.log.warn(`Links to ${renamed.map(({ id }) => id).join(', ')} could not be changed: ${reasonOf(error)}`);
    }
  }

  private async editFor(entries: readonly LibraryEntry[], others: readonly string[]): Promise<vscode.WorkspaceEdit> {
    const ids = new Set(entries.map(({ id }) => id));
    const edit = new vscode.WorkspaceEdit();
    for (const document of await documentsWith(others)) {
      const waiting = (await this.links.of(document)).filter(({ entry }) => entry && ids.has(entry.id));
      for (const link of waiting)
        for (const [uri, changes] of toRenamed(document, link)?.entries() ?? [])
          edit.set(uri, [...edit.get(uri), ...changes]);
    }
    return edit;
  }
}

/** The open ones, and these. */
async function documentsWith(others: readonly string[]): Promise<ReadonlySet<vscode.TextDocument>> {
  const opened = others.map((uri) => vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true)));
  return new Set([...vscode.workspace.textDocuments, ...(await Promise.all(opened))]);
}

async function agrees(renamed: readonly LibraryEntry[]): Promise<boolean> {
  const [name = '', ...more] = renamed.map(({ file }) => plain(fileNameOf(file ?? '')));
  const change = more.length === 0 ? vscode.l10n.t('Change the Link') : vscode.l10n.t('Change the Links');
  const question =
    more.length === 0
      ? vscode.l10n.t(
          'The picture is not of the format, or could not take the name, that the link gives it: it was saved as {0}.',
          name,
        )
      : vscode.l10n.t(
          'Pictures are not of the format, or could not take the name, that their links give them. They were saved as: {0}',
          [name, ...more].join(', '),
        );
  return (await vscode.window.showInformationMessage(question, change)) === change;
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
