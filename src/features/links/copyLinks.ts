import * as vscode from 'vscode';
import { linkTexts } from '../../documents/insertion';
import { fileNameOf } from '../../files/fileName';
import { documentFile } from '../../editor/documentFile';
import { iconless } from '../../base/plain';
import type { DocumentLinks } from './documentLinks';
import { pathIn } from './filesThere';
import { shownIn, type ShownPicture } from './shownPicture';

/** How long the confirmation is visible, ms. */
const toldMs = 6000;

/**
 * Copies links to images, in the active document's syntax; if that can't link to them, as Markdown relative to the
 * workspace folder.
 */
export async function copyLinks(
  pictures: readonly ShownPicture[],
  links: Pick<DocumentLinks, 'pathOf'>,
): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const found = document ? await Promise.all(pictures.map((picture) => shownIn(document, picture, links))) : [];
  const shown = found.flatMap((one) => one ?? []);
  const [first] = shown;
  const isForDocument = document !== undefined && first !== undefined && shown.length === pictures.length;
  await vscode.env.clipboard.writeText(
    isForDocument
      ? linkTexts(
          first.syntax,
          shown.map(({ parts }) => parts),
        )
      : linkTexts('markdown', pictures.map(fromFolder)),
  );
  const words = isForDocument
    ? vscode.l10n.t('Copied as a link for {0}', iconless(fileNameOf(documentFile(document.uri).toString()), 60))
    : vscode.l10n.t(
        'Copied as a Markdown link relative to the workspace folder, because the active editor can’t link to it',
      );
  vscode.window.setStatusBarMessage(words, toldMs);
}

function fromFolder({ file, alt }: ShownPicture): { path: string; alt: string } {
  const folder = vscode.workspace.getWorkspaceFolder(file);
  return { path: folder ? pathIn(folder, file) : file.path, alt };
}
