import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import { escapeForIcons } from '../../base/plain';
import { type Insertion, linkTexts, pastedPaths, trialOf } from '../../documents/insertion';
import { endingOf, imageEndings } from '../../documents/paths';
import { languages } from '../../documents/syntax';
import { documentFile, documentFolder } from '../../editor/workspaceFiles';
import { editKind } from '../../editor/ids';
import { dragType } from '../../editor/page/page';
import { fileNameOf } from '../../files/names';
import type { Renders } from '../rendering/renders';
import type { DocumentLinks } from './documentLinks';
import type { LinkReader } from './model/linkReader';
import { resultImage, type Shown, shownIn, type ShownImage } from './shownImage';
import { pathIn } from './sites';

const uriList = 'text/uri-list';
const plainText = 'text/plain';

/**
 * Without an extension for its language, a file is plain text to the editor; its file extension then determines the
 * language.
 */
export const documentsWithLinks: readonly string[] = [...languages, 'plaintext'];

/**
 * Turns our results into links when they're dropped on or pasted into a document. Leaves all other files and texts to
 * the editor.
 */
export class LinkInsertions implements vscode.DocumentDropEditProvider, vscode.DocumentPasteEditProvider, Disposable {
  private readonly own = new Disposables();

  constructor(
    private readonly renders: Pick<Renders, 'library' | 'log'>,
    private readonly reader: Pick<LinkReader, 'read'>,
    private readonly links: DocumentLinks,
  ) {
    const kinds = [kindOf('links'), kindOf('path')];
    this.own.add(
      vscode.languages.registerDocumentDropEditProvider(documentsWithLinks, this, {
        dropMimeTypes: [dragType, uriList],
        providedDropEditKinds: kinds,
      }),
    );
    this.own.add(
      vscode.languages.registerDocumentPasteEditProvider(documentsWithLinks, this, {
        pasteMimeTypes: [uriList, plainText],
        providedPasteEditKinds: kinds,
      }),
    );
  }

  async provideDocumentDropEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    transfer: vscode.DataTransfer,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentDropEdit | undefined> {
    const files = await listedFiles(transfer);
    const insertion = await this.insertion(document, [new vscode.Range(position, position)], files, token);
    if (!insertion) return undefined;
    return new vscode.DocumentDropEdit(insertion.text, titleOf(insertion, files.length), kindOf(insertion.kind));
  }

  async provideDocumentPasteEdits(
    document: vscode.TextDocument,
    ranges: readonly vscode.Range[],
    transfer: vscode.DataTransfer,
    _: vscode.DocumentPasteEditContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentPasteEdit[] | undefined> {
    const files = transfer.get(uriList) ? await listedFiles(transfer) : await namedFiles(transfer, document);
    const insertion = await this.insertion(document, ranges, files, token);
    if (!insertion) return undefined;
    return [new vscode.DocumentPasteEdit(insertion.text, titleOf(insertion, files.length), kindOf(insertion.kind))];
  }

  dispose(): void {
    this.own.dispose();
  }

  /** Undefined unless all files are results, and all ranges take the same text. */
  private async insertion(
    document: vscode.TextDocument,
    ranges: readonly vscode.Range[],
    files: readonly vscode.Uri[],
    token: vscode.CancellationToken,
  ): Promise<Insertion | undefined> {
    // Don't touch anything that couldn't become a link: a URL may lead to any machine.
    const folder = documentFolder(document.uri);
    const isNear = (file: vscode.Uri) => vscode.workspace.getWorkspaceFolder(file) === folder;
    if (files.length === 0 || !folder || !files.every((file) => isNear(file) && imageEndings.has(endingOf(file.path))))
      return undefined;
    const shown: Shown[] = [];
    // Each is read as a whole: one at a time.
    for (const file of files) {
      const image = token.isCancellationRequested ? undefined : await resultImage(file, this.renders);
      const one = image && (await shownIn(document, image, this.links));
      if (!one) return undefined;
      shown.push(one);
    }
    const [first] = shown;
    if (!first) return undefined;
    const parts = shown.map((one) => one.parts);
    const spans = ranges.map(({ start, end }) => ({ start: document.offsetAt(start), end: document.offsetAt(end) }));
    const trial = trialOf(document.getText(), spans, first.syntax, parts);
    if (!trial) return undefined;
    const name = vscode.workspace.asRelativePath(documentFile(document.uri));
    const { links, isWhole } = await this.reader.read(trial.text, first.syntax, name);
    // In a document that is too large, a link may be missing that decides.
    return isWhole ? trial.outcome(links) : undefined;
  }
}

function kindOf(kind: Insertion['kind']): vscode.DocumentDropOrPasteEditKind {
  return vscode.DocumentDropOrPasteEditKind.Empty.append(editKind, kind === 'links' ? 'link' : 'path');
}

function titleOf({ kind }: Insertion, count: number): string {
  if (kind === 'path') return vscode.l10n.t('Insert Path to Result');
  return count === 1 ? vscode.l10n.t('Insert Link to Result') : vscode.l10n.t('Insert Links to Results');
}

/**
 * The files of a drag, or of a copy in the Explorer. Older editors misread a view's URI list as local files even when
 * the extension runs remotely, so the data of our own view comes first.
 */
async function listedFiles(transfer: vscode.DataTransfer): Promise<readonly vscode.Uri[]> {
  const list = (await (transfer.get(dragType) ?? transfer.get(uriList))?.asString()) ?? '';
  return list
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => vscode.Uri.parse(line));
}

/** The files that a copied text names, if it consists of paths only. */
async function namedFiles(
  transfer: vscode.DataTransfer,
  document: vscode.TextDocument,
): Promise<readonly vscode.Uri[]> {
  const folder = documentFolder(document.uri);
  const text = (await transfer.get(plainText)?.asString()) ?? '';
  return folder ? pastedPaths(text).map((path) => fileOf(path, folder.uri)) : [];
}

function fileOf(path: string, folder: vscode.Uri): vscode.Uri {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return vscode.Uri.parse(path);
  const isAbsolute = /^(?:[\\/]|[a-z]:[\\/])/i.test(path);
  if (!isAbsolute) return vscode.Uri.joinPath(folder, path.replaceAll('\\', '/'));
  return folder.scheme === 'file' ? vscode.Uri.file(path) : folder.with({ path });
}

/** How long the confirmation is visible, ms. */
const toldMs = 6000;

/**
 * Copies links to images, in the active document's syntax; if that can't link to them, as Markdown relative to the
 * workspace folder.
 */
export async function copyLinks(images: readonly ShownImage[], links: DocumentLinks): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  const found = document ? await Promise.all(images.map((image) => shownIn(document, image, links))) : [];
  const shown = found.flatMap((one) => one ?? []);
  const [first] = shown;
  const isForDocument = document !== undefined && first !== undefined && shown.length === images.length;
  await vscode.env.clipboard.writeText(
    isForDocument
      ? linkTexts(
          first.syntax,
          shown.map(({ parts }) => parts),
        )
      : linkTexts('markdown', images.map(fromFolder)),
  );
  const words = isForDocument
    ? vscode.l10n.t('Copied as a link for {0}', escapeForIcons(fileNameOf(documentFile(document.uri).toString()), 60))
    : vscode.l10n.t(
        'Copied as a Markdown link relative to the workspace folder, because the active editor can’t link to it',
      );
  vscode.window.setStatusBarMessage(words, toldMs);
}

function fromFolder({ file, alt }: ShownImage): { path: string; alt: string } {
  const folder = vscode.workspace.getWorkspaceFolder(file);
  return { path: folder ? pathIn(folder, file) : file.path, alt };
}
