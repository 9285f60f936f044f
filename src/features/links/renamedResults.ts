import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import { editAsRead, type ReadEdits } from '../../documents/asRead';
import { repathed } from '../../documents/edits';
import type { Edit } from '../../documents/span';
import { isNotebook } from '../../documents/syntax';
import type { Library, LibraryEntry } from '../../renders/library';
import { showProblem } from '../../editor/commands';
import { fileNameOf } from '../../files/fileName';
import { plain } from '../../base/plain';
import type { DocumentLink, DocumentLinks } from './documentLinks';
import { documentFolder } from '../../editor/documentFile';
import { isRenamed } from '../../editor/isRenamed';
import { applyAsRead } from './workspaceEdit';

/**
 * Asks whether to update links to a result that couldn't be saved under the linked name, because its format differs or
 * the name was taken.
 */
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

  /** Leaves it to the caller to `ask` about these renders (keys), until disposed. */
  hold(keys: readonly string[]): Disposable {
    for (const key of keys) this.held.add(key);
    return { dispose: () => keys.forEach((key) => this.held.delete(key)) };
  }

  /** One question for all of them, for every open document and these others (URIs). Never rejects. */
  async ask(entries: readonly LibraryEntry[], others: readonly string[]): Promise<void> {
    const renamed = entries.filter(isRenamed);
    if (renamed.length === 0) return;
    const read = () => this.read(renamed, others);
    const warn = (error: unknown) =>
      this.log.warn(`Couldn’t change links to ${renamed.map(({ id }) => id).join(', ')}: ${reasonOf(error)}`);
    try {
      if ((await read()).length === 0 || !(await agrees(renamed))) return;
    } catch (error) {
      return warn(error);
    }
    // The documents may have changed while the question was open, and may change while they're read.
    const isChanged = await editAsRead(read, applyAsRead).catch(warn);
    if (!isChanged) void showProblem(vscode.l10n.t('The document couldn’t be changed. Use the Quick Fix on the link.'));
  }

  /** The documents with links to update. */
  private async read(
    entries: readonly LibraryEntry[],
    others: readonly string[],
  ): Promise<readonly ReadEdits<vscode.TextDocument>[]> {
    const ids = new Set(entries.map(({ id }) => id));
    const found: ReadEdits<vscode.TextDocument>[] = [];
    for (const document of await documentsWith(others)) {
      const { version } = document;
      const waiting = (await this.links.of(document)).filter(({ entry }) => entry && ids.has(entry.id));
      const renamed = await Promise.all(waiting.map((link) => toRenamed(document, link, this.links)));
      const edits = renamed.flatMap((edit) => edit ?? []);
      // Several links may share an address: that of a Markdown definition.
      const distinct = new Map(edits.map((edit) => [edit.start, edit]));
      if (distinct.size > 0) found.push({ document, version, edits: [...distinct.values()] });
    }
    return found;
  }
}

/** The open documents, with the cells of open notebooks, and these. No other notebooks are opened. */
async function documentsWith(others: readonly string[]): Promise<ReadonlySet<vscode.TextDocument>> {
  const texts = others.map((uri) => vscode.Uri.parse(uri, true)).filter(({ path }) => !isNotebook(path));
  const opened = texts.map((uri) => vscode.workspace.openTextDocument(uri));
  return new Set([...vscode.workspace.textDocuments, ...(await Promise.all(opened))]);
}

async function agrees(renamed: readonly LibraryEntry[]): Promise<boolean> {
  const [name = '', ...more] = renamed.map(({ file }) => plain(fileNameOf(file ?? '')));
  const change = more.length === 0 ? vscode.l10n.t('Update Link') : vscode.l10n.t('Update Links');
  const question =
    more.length === 0
      ? vscode.l10n.t('The image couldn’t be saved under the name or format in the link, so it was saved as {0}.', name)
      : vscode.l10n.t(
          'Some images couldn’t be saved under the name or format in their links, so they were saved as: {0}',
          [name, ...more].join(', '),
        );
  return (await vscode.window.showInformationMessage(question, change)) === change;
}

/**
 * The edit that points a link to the file its render was saved as; undefined when it does already, or that file isn't
 * in its folder.
 */
export async function toRenamed(
  document: vscode.TextDocument,
  { link, entry }: DocumentLink,
  links: Pick<DocumentLinks, 'pathOf'>,
): Promise<Edit | undefined> {
  const folder = documentFolder(document.uri);
  if (!entry || !isRenamed(entry) || !folder) return undefined;
  const file = vscode.Uri.parse(entry.file ?? '', true);
  if (vscode.workspace.getWorkspaceFolder(file) !== folder) return undefined;
  return repathed(link, await links.pathOf(link, document.uri, file, folder));
}
