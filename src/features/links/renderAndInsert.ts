import * as vscode from 'vscode';
import { Disposables } from '../../base/disposable';
import type { JsonObject } from '../../base/json';
import type { Log } from '../../base/log';
import { plain } from '../../base/plain';
import { rendersTo } from '../../documents/destination';
import { movedBy, withSizeAt } from '../../documents/edits';
import { linkOffset, linksAt } from '../../documents/insertion';
import { editAsRead, type ImageLink, type LinkPlace } from '../../documents/link';
import type { Edit } from '../../documents/scan';
import { documentFile, documentFolder, targetFile } from '../../editor/workspaceFiles';
import type { Library } from '../../renders/library';
import type { PricedOrder, RenderRecord, Target } from '../../renders/record';
import type { Initiator } from '../../renders/consent';
import type { Renders } from '../rendering/renders';
import type { DocumentLinks } from './documentLinks';
import { altOf, type Shown, shownIn, sizeOf } from './shownImage';
import { pathIn } from './sites';
import { applyAsRead, workspaceEdit } from './workspaceEdit';

/**
 * Renders, and inserts a link to the future file at the cursor. The name is fixed before anything is sent, so the link
 * is valid from the start; the prompt of `said` describes it. A model known not to make images renders without a link.
 * Undefined when the user declined, or didn't say what the model makes; otherwise rejects as `Orders.render`.
 */
export async function renderAndInsert(
  order: PricedOrder,
  place: LinkPlace,
  renders: Renders,
  links: DocumentLinks,
  initiator: Initiator,
  typedInputs = order.inputs as JsonObject,
): Promise<RenderRecord | undefined> {
  const { orders, targets, library } = renders;
  const kind = await renders.makes(order.modelId);
  if (kind !== 'image') return kind && orders.render(order, initiator);
  const named = { ...order, target: rooted(order.target, place) };
  const index = Math.max(0, ...library.entries.map(({ record }) => record?.index ?? 0)) + 1;
  const target = await targets.unused(named, endingOf(order.modelId, library), index, promised(library));
  const record = await orders.render({ ...named, target }, initiator);
  if (!record) return undefined;
  const inserted = await insertLink(place, record.target, altOf(typedInputs), links);
  if (inserted) sizeInserted(record.key, inserted.document, inserted.offset, links, renders);
  else tellNotInserted(place);
  return record;
}

/** A link can only lead to files of its document's own folder. */
function rooted(target: Target, { uri }: LinkPlace): Target {
  return {
    ...target,
    root: target.root ?? documentFolder(vscode.Uri.parse(uri, true))?.uri.toString(),
  };
}

/** The file extension of the model's latest result; most models make PNG. */
function endingOf(modelId: string, { entries }: Library): string {
  return (
    entries.find((entry) => entry.modelId === modelId && entry.record?.spooled)?.record?.spooled?.extension ?? 'png'
  );
}

/** The files that renders in progress will be saved as. */
function promised({ entries }: Library): readonly vscode.Uri[] {
  return entries.flatMap(({ record, group }) =>
    record && group !== 'finished' ? (targetFile(record.target) ?? []) : [],
  );
}

/**
 * The document and the offset of the link in it. Undefined if the place is gone or its text has changed, the document
 * can't be written, or it's in another folder than the file.
 */
async function insertLink(
  place: LinkPlace,
  target: Target,
  alt: string,
  links: DocumentLinks,
): Promise<{ readonly document: vscode.TextDocument; readonly offset: number } | undefined> {
  const document = await opened(vscode.Uri.parse(place.uri, true));
  if (!document) return undefined;
  const file = targetFile(target);
  const shown = file && (await shownIn(document, { file, alt }, links));
  if (!shown) return undefined;
  let edit: Edit | undefined;
  const read = () => {
    edit = insertionOf(document, place, shown);
    return Promise.resolve(edit ? [{ document, version: document.version, edits: [edit] }] : []);
  };
  const isChanged = await editAsRead(read, (found) => vscode.workspace.applyEdit(workspaceEdit(found)));
  if (!edit || !isChanged) return undefined;
  const { start, text } = edit;
  // In a long line the link, and the text in front of it, could be outside the editor.
  editorOf(document)?.revealRange(
    new vscode.Range(document.positionAt(start), document.positionAt(start + text.length)),
  );
  // Line breaks are inserted in the document's own style.
  const lineBreak = document.eol === vscode.EndOfLine.CRLF ? 2 : 1;
  return { document, offset: start + text.search(/\S/) * lineBreak };
}

/** Undefined when the document no longer has the place. */
function insertionOf(document: vscode.TextDocument, place: LinkPlace, { syntax, parts }: Shown): Edit | undefined {
  // At the current cursor, since typing has moved it.
  const cursor = editorOf(document)?.selection.end ?? stillThere(document, place);
  if (!cursor) return undefined;
  const start = linkOffset(document.getText(), document.offsetAt(cursor), syntax);
  return { start, end: start, text: linksAt(document.getText(), { start, end: start }, syntax, [parts]) };
}

/** The place in a document that isn't active; undefined when its line has changed. */
function stillThere(document: vscode.TextDocument, { line, character, text }: LinkPlace): vscode.Position | undefined {
  const isThere = line <= document.lineCount && document.lineAt(line - 1).text === text;
  return isThere ? new vscode.Position(line - 1, character) : undefined;
}

/** Undefined when no editor shows the document, or several do and none is active. */
function editorOf(document: vscode.TextDocument): vscode.TextEditor | undefined {
  const { activeTextEditor: active, visibleTextEditors } = vscode.window;
  const editors = visibleTextEditors.filter((editor) => editor.document === document);
  return editors.find((one) => one === active) ?? (editors.length === 1 ? editors[0] : undefined);
}

async function opened(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    // Closed and deleted meanwhile.
    return undefined;
  }
}

/** The render continues: only the link is missing. */
function tellNotInserted({ name }: LinkPlace): void {
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      'Couldn’t insert the link into {0}. The render continues, and its file is saved as usual.',
      plain(name),
    ),
  );
}

/**
 * Adds the image's size to the link inserted for a render, so that the page's layout doesn't shift; if the language has
 * a syntax for it, and the link still exists. The offset is where the link begins now. Never rejects: a link without a
 * size is fine.
 */
export function sizeInserted(
  key: string,
  document: vscode.TextDocument,
  offset: number,
  links: DocumentLinks,
  { library, log }: Renders,
): void {
  const own = new Disposables();
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
  links: DocumentLinks,
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

/** The user may have changed the link since. */
function leadsTo(link: ImageLink, { uri }: vscode.TextDocument, file: vscode.Uri): boolean {
  const folder = documentFolder(uri);
  if (!folder || vscode.workspace.getWorkspaceFolder(file) !== folder) return false;
  const destination = rendersTo(link, pathIn(folder, documentFile(uri)));
  if (destination.kind === 'none') return false;
  return destination.candidates.some(({ paths }) => paths.includes(pathIn(folder, file)));
}
