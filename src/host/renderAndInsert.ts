import * as vscode from 'vscode';
import { promptOf } from '../catalog/fields';
import { imageText, standsAlone } from '../documents/imageText';
import { linkPath } from '../documents/linkPath';
import { syntaxOf } from '../documents/syntax';
import type { Library } from '../renders/library';
import type { Order, RenderRecord, Target } from '../renders/record';
import { pathIn } from './documentLinks';
import type { LinkPlace } from './linkPlace';
import { plain } from './plain';
import type { Renders } from './renders';
import { sizeInserted } from './sizeInserted';
import { targetFile } from './targetFile';

/** As much of a prompt as says what a picture shows, in UTF-16 code units. */
const longestAlt = 250;

/**
 * Renders, and inserts a link to the file the result becomes where the cursor is. The name is settled before anything is sent, so that
 * the link holds from the first moment. Undefined when the person said no; otherwise rejects as `Spend.render`.
 */
export async function renderAndInsert(
  order: Order,
  place: LinkPlace,
  { spend, targets, library }: Pick<Renders, 'spend' | 'targets' | 'library'>,
): Promise<RenderRecord | undefined> {
  const decided = await targets.decide(order.target);
  if (!decided) return undefined;
  const named = { ...order, target: decided };
  const index = Math.max(0, ...library.entries.map(({ record }) => record?.index ?? 0)) + 1;
  const target = await targets.unused(named, endingOf(order.modelId, library), index, promised(library));
  const record = await spend.render({ ...order, target });
  if (!record) return undefined;
  const document = await insertLink(place, record.target, altOf(order));
  if (document) sizeInserted(record.key, document, library);
  else tellNotInserted(place);
  return record;
}

/** What the model's results were last time; most models make PNG. */
function endingOf(modelId: string, { entries }: Pick<Library, 'entries'>): string {
  return (
    entries.find((entry) => entry.modelId === modelId && entry.record?.spooled)?.record?.spooled?.extension ?? 'png'
  );
}

/** The files that renders under way are to become. */
function promised({ entries }: Pick<Library, 'entries'>): ReadonlySet<string> {
  const files = entries.flatMap(({ record, group }) =>
    record && group !== 'finished' ? (targetFile(record.target) ?? []) : [],
  );
  return new Set(files.map((file) => file.toString()));
}

function altOf({ inputs }: Order): string {
  return promptOf(undefined, inputs).slice(0, longestAlt);
}

/** The document it stands in; undefined when that is gone, cannot be written, or lies in another folder than the file. */
async function insertLink(
  { uri, line }: LinkPlace,
  target: Target,
  alt: string,
): Promise<vscode.TextDocument | undefined> {
  const document = await opened(vscode.Uri.parse(uri, true));
  if (!document) return undefined;
  const syntax = syntaxOf(document.languageId, document.uri.path);
  const folder = vscode.workspace.getWorkspaceFolder(document.uri);
  const file = targetFile(target);
  if (!syntax || !folder || !file || target.root !== folder.uri.toString()) return undefined;
  const text = imageText(syntax, { path: linkPath(syntax, pathIn(folder, document.uri), pathIn(folder, file)), alt });
  const editor = vscode.window.visibleTextEditors.find((visible) => visible.document === document);
  const at = editor ? editor.selection.end : document.validatePosition(new vscode.Position(line - 1, Infinity));
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, at, standsAlone(syntax) ? onItsOwnLine(document, at, text) : text);
  return (await vscode.workspace.applyEdit(edit)) ? document : undefined;
}

async function opened(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    // Closed and deleted while the order was made.
    return undefined;
  }
}

function onItsOwnLine(document: vscode.TextDocument, at: vscode.Position, text: string): string {
  const line = document.lineAt(at).text;
  const before = line.slice(0, at.character).trim() === '' ? '' : '\n\n';
  const after = line.slice(at.character).trim() === '' ? '\n' : '\n\n';
  return before + text + after;
}

/** The render goes on: only the link is missing. */
function tellNotInserted({ name }: LinkPlace): void {
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      'The link could not be inserted into {0}. The render goes on; its file is saved as always.',
      plain(name),
    ),
  );
}
