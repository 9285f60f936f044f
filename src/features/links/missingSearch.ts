import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Yielder } from '../../base/concurrency';
import { type Log, reasonOf, warnOnce } from '../../base/log';
import { generatedPatterns, Ignored } from '../../documents/ignored';
import { endings, isNotebook } from '../../documents/syntax';
import { cellOf, documentFile, readUpTo, loggedPath, smallText } from '../../editor/workspaceFiles';
import { UserError } from '../../editor/userError';
import { fileNameOf } from '../../files/names';
import type { Targets } from '../rendering/targets';
import type { DocumentLink, DocumentLinks, ReadDocument } from './documentLinks';
import { isDoubtful, isPending, isToRender, tooLarge } from './missingImages';
import { joinMissing, type MissingImage } from './model/missingList';
import { longestDocument } from './model/linkReader';
import { pathIn } from './sites';

/** The result of a search. */
export interface FoundMissing {
  /** One per file, however many links name it: first those that are missing for certain. */
  readonly images: readonly MissingImage[];
  /** Those that aren't listed, since they have renders that aren't over: the name of the file, by the render's ID. */
  readonly pending: ReadonlyMap<string, string>;
  /** How many documents were read. */
  readonly documents: number;
  /** There are more documents or images than were searched. */
  readonly isCut: boolean;
}

/** The most documents read, and the most images listed, at a time. */
const mostDocuments = 2000;
const mostImages = 500;
const documentGlob = `**/*.{${endings.join(',')}}`;
/** How many documents are read concurrently. */
const atOnce = 16;

type FileTargets = Pick<Targets, 'file'>;

/**
 * The missing images of a document, of the documents below a folder, or of all open folders, except those in progress
 * or waiting for a decision. Undefined when canceled. Rejects when the document or folder can't be reached.
 */
export async function searchMissing(
  where: vscode.Uri | undefined,
  links: DocumentLinks,
  { targets, log }: { readonly targets: FileTargets; readonly log: Log },
  token?: vscode.CancellationToken,
): Promise<FoundMissing | undefined> {
  links.lookAgain();
  const isOne = where !== undefined && (await isFile(where));
  const { uris, isCut: isSearchCut } = isOne
    ? { uris: [where], isCut: false }
    : await searchedFiles(documentGlob, where, mostDocuments, log, token);
  const images = new Map<string, MissingImage>();
  const doubtful = new Map<string, MissingImage>();
  const pending = new Map<string, string>();
  let documents = 0;
  while (documents < uris.length && images.size < mostImages) {
    if (token?.isCancellationRequested) return undefined;
    const some = uris.slice(documents, documents + atOnce);
    const searched = (await Promise.all(some.map((uri) => (isOne ? search : searchAny)(uri, links, log)))).flat();
    for (const { uri, missing, waiting } of searched) {
      for (const { link, file, doubt } of missing)
        joinMissing(doubt ? doubtful : images, uri.toString(), {
          link,
          file: file.toString(),
          problem: targetProblemOf(file, targets),
          doubt,
        });
      for (const { entry, file } of waiting) if (entry) pending.set(entry.id, fileNameOf(file.toString()));
    }
    if (isOne && images.size === 0 && searched.some(({ isTooLarge }) => isTooLarge)) throw tooLarge(where);
    documents += some.length;
  }
  const isCut = isSearchCut || documents < uris.length || images.size > mostImages;
  const apart = [...doubtful].filter(([key]) => !images.has(key)).map(([, image]) => image);
  return { images: [...images.values(), ...apart].slice(0, mostImages), pending, documents, isCut };
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  if (openDocuments(uri)) return true;
  return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
}

/** The links found in one document, or in a cell of an open notebook. */
interface Searched {
  /** That of the file. */
  readonly uri: vscode.Uri;
  /** Those in doubt, too. */
  readonly missing: readonly DocumentLink[];
  /** Those that have renders that aren't over. */
  readonly waiting: readonly DocumentLink[];
  /** There may be more. */
  readonly isTooLarge: boolean;
}

/** Rejects when the document can't be read. */
async function search(uri: vscode.Uri, links: DocumentLinks, log: Log): Promise<readonly Searched[]> {
  const documents = openDocuments(uri) ?? (await readDocument(uri, log));
  return documents
    ? Promise.all(documents.map((one) => searchIn(one, links)))
    : [{ ...nothing(uri), isTooLarge: true }];
}

async function searchIn(document: ReadDocument, links: DocumentLinks): Promise<Searched> {
  const found = await links.of(document);
  const cell = cellOf(document.uri)?.index;
  const placed = found.map((one) => (cell === undefined ? one : { ...one, link: { ...one.link, cell } }));
  const missing = placed.filter((link) => isToRender(link) || isDoubtful(link));
  const waiting = placed.filter(isPending);
  return { uri: documentFile(document.uri), missing, waiting, isTooLarge: await links.isTooLarge(document) };
}

function nothing(uri: vscode.Uri): Searched {
  return { uri, missing: [], waiting: [], isTooLarge: false };
}

/** One of many: leaves out what was deleted meanwhile, can't be read, or isn't text. */
async function searchAny(uri: vscode.Uri, links: DocumentLinks, log: Log): Promise<readonly Searched[]> {
  try {
    return await search(uri, links, log);
  } catch (error) {
    warnOnce(log, `Couldn’t read ${loggedPath(uri)}: ${reasonOf(error)}`);
    return [nothing(uri)];
  }
}

/** The open document, or the cells of an open notebook: unsaved changes count. */
function openDocuments(uri: vscode.Uri): readonly ReadDocument[] | undefined {
  const isIt = (open: { readonly uri: vscode.Uri }) => open.uri.toString() === uri.toString();
  const notebook = vscode.workspace.notebookDocuments.find(isIt);
  if (notebook) return notebook.getCells().map(({ document }) => document);
  // A text editor shows its JSON.
  if (isNotebook(uri.path) && !cellOf(uri)) return undefined;
  const document = vscode.workspace.textDocuments.find(isIt);
  return document && [document];
}

/** Read without opening it: every extension sees opened documents. Undefined when it's too large. */
async function readDocument(uri: vscode.Uri, log: Log): Promise<readonly ReadDocument[] | undefined> {
  // A character takes at most four bytes.
  const bytes = await readUpTo(uri, longestDocument * 4, log, loggedPath(uri));
  if (!bytes) return undefined;
  const text = await vscode.workspace.decode(bytes, { uri });
  return [{ uri, languageId: '', version: 1, getText: () => text }];
}

/** Why nothing can be saved as a file, in words. */
export function targetProblemOf(file: vscode.Uri, targets: FileTargets): string | undefined {
  try {
    targets.file(file);
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** The files found by a search. */
export interface SearchedFiles {
  readonly uris: readonly vscode.Uri[];
  /** There may be more. */
  readonly isCut: boolean;
}

/** The most files found before `.gitignore` applies. */
const mostFound = 20_000;

/**
 * Files that match a pattern, below a folder or in all open folders, at most `most`. Leaves out what the user
 * excludes from searches or hides in the Explorer, what `.gitignore` lists, and generated folders.
 */
export async function searchedFiles(
  glob: string,
  where: vscode.Uri | undefined,
  most: number,
  log: Log,
  token?: vscode.CancellationToken,
): Promise<SearchedFiles> {
  const pattern = where ? new vscode.RelativePattern(where, glob) : glob;
  const found = await vscode.workspace.findFiles(pattern, notSearched(where), mostFound + 1, token);
  const sorted = found.sort((a, b) => (a.path < b.path ? -1 : 1)).slice(0, mostFound);
  const usesIgnoreFiles = vscode.workspace.getConfiguration('search', where).get<boolean>('useIgnoreFiles', true);
  const kept = usesIgnoreFiles ? await notIgnored(sorted, where, most + 1, log, token) : sorted;
  return { uris: kept.slice(0, most), isCut: kept.length > most || found.length > mostFound };
}

/** Files that the user excludes from searches, such as packages, or hides in the Explorer. */
function notSearched(where: vscode.Uri | undefined): string {
  const excluded = ['search', 'files'].flatMap((section) => {
    const patterns = vscode.workspace.getConfiguration(section, where).get<Record<string, unknown>>('exclude', {});
    return Object.keys(patterns).filter((pattern) => patterns[pattern] === true);
  });
  // Patterns are relative to the workspace folder, but have to be relative to the search root here.
  const folder = where && vscode.workspace.getWorkspaceFolder(where);
  const start = folder && pathIn(folder, where) !== '' ? `${pathIn(folder, where)}/` : '';
  const fromStart = excluded.map((pattern) => (pattern.startsWith(start) ? pattern.slice(start.length) : pattern));
  return `{${[...fromStart, ...generatedPatterns].join(',')}}`;
}

async function notIgnored(
  uris: readonly vscode.Uri[],
  where: vscode.Uri | undefined,
  most: number,
  log: Log,
  token: vscode.CancellationToken | undefined,
): Promise<vscode.Uri[]> {
  const byFolder = new Map<vscode.WorkspaceFolder, Ignored>();
  const kept: vscode.Uri[] = [];
  const turns = new Yielder(systemClock);
  for (const uri of uris) {
    if (kept.length >= most || token?.isCancellationRequested) break;
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const ignored = folder && (byFolder.get(folder) ?? ignoredIn(folder, where, log));
    if (ignored) byFolder.set(folder, ignored);
    if (!ignored || !(await ignored.has(pathIn(folder, uri)))) kept.push(uri);
    await turns.next();
  }
  return kept;
}

function ignoredIn(folder: vscode.WorkspaceFolder, where: vscode.Uri | undefined, log: Log): Ignored {
  const at = (path: string) => vscode.Uri.joinPath(folder.uri, path);
  return new Ignored(
    (path) => smallText(at(path), log),
    where ? pathIn(folder, where) : '',
    (path) => warnOnce(log, `${loggedPath(at(path))} has more or longer lines than are read`),
  );
}
