import * as vscode from 'vscode';
import { promptOf } from '../../documents/prompt';
import { shapeOf } from '../../documents/shape';
import { endings } from '../../documents/syntax';
import { longestDocument, type DocumentLink, type DocumentLinks, type ReadDocument } from '../documents/documentLinks';
import type { Targets } from '../renders/targets';
import { UserError } from '../userError';
import { isToRender } from './missingImages';
import type { MissingImage } from './missingList';

/** What a search found. */
export interface FoundMissing {
  /** One for each file, however many links name it. */
  readonly images: readonly MissingImage[];
  /** How many documents were read. */
  readonly documents: number;
  /** There are more documents, or more images: they were not looked for. */
  readonly isCut: boolean;
}

/** More documents are not read, more images not listed, at a time. */
const mostDocuments = 2000;
const mostImages = 500;
/** How many documents are read at once. */
const atOnce = 16;

/**
 * The images that are not there of a document, of the documents below a folder, or of all in the open folders, but for those that are under way or
 * wait for a decision. Undefined when it was cancelled. Rejects when the document or folder cannot be reached.
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
    for (const [uri, link] of found.flat()) join(images, uri, link, targets);
    documents += some.length;
  }
  const isCut = documents < uris.length || images.size > mostImages;
  return { images: [...images.values()].slice(0, mostImages), documents, isCut };
}

async function documentsIn(
  where: vscode.Uri | undefined,
  token: vscode.CancellationToken | undefined,
): Promise<vscode.Uri[]> {
  if (where && (await isFile(where))) return [where];
  const documents = `**/*.{${endings.join(',')}}`;
  const pattern = where ? new vscode.RelativePattern(where, documents) : documents;
  const found = await vscode.workspace.findFiles(pattern, notSearched(where), mostDocuments + 1, token);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  if (openDocument(uri)) return true;
  return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
}

/** What the person leaves out of searches, as the packages of a project; what is hidden in the explorer the editor leaves out itself. */
function notSearched(where: vscode.Uri | undefined): string | undefined {
  const patterns = vscode.workspace.getConfiguration('search', where).get<Record<string, unknown>>('exclude', {});
  const excluded = Object.keys(patterns).filter((pattern) => patterns[pattern] === true);
  return excluded.length === 0 ? undefined : `{${excluded.join(',')}}`;
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

/** What is typed and not saved counts. */
function openDocument(uri: vscode.Uri): ReadDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/** Read without opening it: an opened document is one for every extension to look at. */
async function readDocument(uri: vscode.Uri): Promise<ReadDocument | undefined> {
  const { workspace } = vscode;
  try {
    // A character takes up at least a byte.
    if ((await workspace.fs.stat(uri)).size > longestDocument * 4) return undefined;
    const text = await workspace.decode(await workspace.fs.readFile(uri), { uri });
    return { uri, languageId: '', version: 1, getText: () => text };
  } catch {
    // Gone meanwhile, not readable, or no text: it shows no images that could be rendered.
    return undefined;
  }
}

/** The first link with words says what the image shows, the first with a size how large. */
function join(
  images: Map<string, MissingImage>,
  document: vscode.Uri,
  { link, file: uri }: DocumentLink,
  targets: Pick<Targets, 'file'>,
): void {
  const file = uri.toString();
  const known = images.get(file);
  const prompt = known?.prompt ?? promptOf(link);
  const size = known?.size ?? shapeOf(link);
  if (known) images.set(file, { ...known, documents: [...known.documents, document.toString()], prompt, size });
  else {
    const place = { documents: [document.toString()], offset: link.address.start } as const;
    images.set(file, { file, ...place, prompt, size, problem: problemOf(uri, targets) });
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
