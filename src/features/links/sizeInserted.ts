import * as vscode from 'vscode';
import { Owned } from '../../base/disposable';
import type { Log } from '../../base/log';
import { editAsRead } from '../../documents/asRead';
import { rendersTo } from '../../documents/destination';
import type { ImageLink } from '../../documents/imageLink';
import { movedBy, withSizeAt } from '../../documents/trackedLink';
import type { Renders } from '../rendering/renders';
import { documentFile, documentFolder } from '../../editor/documentFile';
import type { DocumentLinks } from './documentLinks';
import { pathIn } from './filesThere';
import { applyAsRead } from './workspaceEdit';
import { sizeOf } from './shownPicture';

/**
 * Adds the image's size to the link inserted for a render, so that the page's layout doesn't shift; if the language has
 * a syntax for it, and the link still exists. The offset is where the link begins now. Never rejects: a link without a
 * size is fine.
 */
export function sizeInserted(
  key: string,
  document: vscode.TextDocument,
  offset: number,
  links: Pick<DocumentLinks, 'read'>,
  { library, log }: Pick<Renders, 'library' | 'log'>,
): void {
  const own = new Owned();
  let at: number | undefined = offset;
  own.add(
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && at !== undefined) at = movedBy(at, event.contentChanges);
    }),
  );
  own.add(
    library.onDidEnd(({ id, file }) => {
      if (id !== key) return;
      if (file === undefined) own.dispose();
      else void addSize(document, () => at, links, vscode.Uri.parse(file, true), log).finally(() => own.dispose());
    }),
  );
}

async function addSize(
  document: vscode.TextDocument,
  offset: () => number | undefined,
  links: Pick<DocumentLinks, 'read'>,
  file: vscode.Uri,
  log: Log,
): Promise<void> {
  try {
    const size = await sizeOf(file, log);
    if (!size) return;
    const read = async () => {
      const { version } = document;
      const found = await links.read(document);
      // To be read again: the link may be elsewhere now.
      if (document.version !== version) return [{ document, version, edits: [] }];
      const at = document.isClosed ? undefined : offset();
      const isOf = (link: ImageLink) => leadsTo(link, document, file);
      const edit = at === undefined ? undefined : withSizeAt(document.getText(), found.links, at, size, isOf);
      return edit ? [{ document, version, edits: [edit] }] : [];
    };
    await editAsRead(read, applyAsRead);
  } catch {
    // The file was deleted, or the document can no longer be written.
  }
}

/** The person may have changed the link since. */
function leadsTo(link: ImageLink, { uri }: vscode.TextDocument, file: vscode.Uri): boolean {
  const folder = documentFolder(uri);
  if (!folder || vscode.workspace.getWorkspaceFolder(file) !== folder) return false;
  const destination = rendersTo(link, pathIn(folder, documentFile(uri)));
  if (destination.kind === 'none') return false;
  return destination.candidates.some(({ paths }) => paths.includes(pathIn(folder, file)));
}
