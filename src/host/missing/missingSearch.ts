import * as vscode from 'vscode';
import type { DocumentLink, DocumentLinks, ReadDocument } from '../documents/documentLinks';
import { endings } from '../../documents/syntax';
import { longestDocument } from '../../app/documents/linkReader';
import type { Targets } from '../renders/targets';
import { UserError } from '../../app/userError';
import { isToRender } from './missingImages';
import { joinMissing } from '../../app/missing/joinMissing';
import type { MissingImage } from '../../app/missing/missingList';
import { searchedFiles } from './searchedFiles';

/** The result of a search. */
export interface FoundMissing {
  /** One per file, however many links name it. */
  readonly images: readonly MissingImage[];
  /** How many documents were read. */
  readonly documents: number;
  /** There are more documents or images than were searched. */
  readonly isCut: boolean;
}

/** The most documents read, and the most images listed, at a time. */
const mostDocuments = 2000;
const mostImages = 500;
/** How many documents are read concurrently. */
const atOnce = 16;

/**
 * The missing images of a document, of the documents below a folder, or of all open folders, except those in progress
 * or waiting for a decision. Undefined when canceled. Rejects when the document or folder can't be reached.
 */
export async function searchMissing(
  where: vscode.Uri | undefined,
  links: DocumentLinks,
  targets: Pick<Targets, 'file'>,
  token?: vscode.CancellationToken,
): Promise<FoundMissing | undefined> {
  links.lookAgain();
  const uris = await documentsIn(where, token);
  const images = new Map<string, MissingImage>();
  let documents = 0;
  while (documents < Math.min(uris.length, mostDocuments) && images.size < mostImages) {
    if (token?.isCancellationRequested) return undefined;
    const some = uris.slice(documents, Math.min(documents + atOnce, mostDocuments));
    const found = await Promise.all(some.map((uri) => missingIn(uri, links)));
    for (const [uri, { link, file }] of found.flat())
      joinMissing(images, uri.toString(), { link, file: file.toString(), problem: problemOf(file, targets) });
    documents += some.length;
  }
  const isCut = documents < uris.length || images.size > mostImages;
  return { images: [...images.values()].slice(0, mostImages), documents, isCut };
}

async function documentsIn(
  where: vscode.Uri | undefined,
  token: vscode.CancellationToken | undefined,
): Promise<vscode.Uri[]> {
  if (where && (await isFile(where))) {
    if (await isTooLarge(where)) throw new UserError(tooLarge(where));
    return [where];
  }
  return searchedFiles(`**/*.{${endings.join(',')}}`, where, mostDocuments + 1, token);
}

function tooLarge(uri: vscode.Uri): string {
  const name = vscode.workspace.asRelativePath(uri);
  return vscode.l10n.t(
    '“{0}” is too large to search for images. Split it into smaller documents, then try again.',
    name,
  );
}

async function isTooLarge(uri: vscode.Uri): Promise<boolean> {
  const open = openDocument(uri);
  if (open) return open.getText().length > longestDocument;
  // A character takes at least one byte.
  return (await vscode.workspace.fs.stat(uri)).size > longestDocument * 4;
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  if (openDocument(uri)) return true;
  return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
}

async function missingIn(
  uri: vscode.Uri,
  links: DocumentLinks,
): Promise<(readonly [document: vscode.Uri, link: DocumentLink])[]> {
  const document = openDocument(uri) ?? (await readDocument(uri));
  if (!document) return [];
  const all = await links.of(document);
  return all.filter(isToRender).map((link) => [uri, link] as const);
}

/** Unsaved changes count. */
function openDocument(uri: vscode.Uri): ReadDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/** Read without opening it: every extension sees opened documents. */
async function readDocument(uri: vscode.Uri): Promise<ReadDocument | undefined> {
  const { workspace } = vscode;
  try {
    if (await isTooLarge(uri)) return undefined;
    const text = await workspace.decode(await workspace.fs.readFile(uri), { uri });
    return { uri, languageId: '', version: 1, getText: () => text };
  } catch {
    // Deleted meanwhile, unreadable, or not text: it shows no images to render.
    return undefined;
  }
}

function problemOf(file: vscode.Uri, targets: Pick<Targets, 'file'>): string | undefined {
  try {
    targets.file(file);
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}
