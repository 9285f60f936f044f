import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { rendersTo, type Candidate } from '../../documents/destination';
import type { ImageLink } from '../../documents/imageLink';
import { imageLinks } from '../../documents/imageLinks';
import { syntaxOf } from '../../documents/syntax';
import type { Library, LibraryEntry } from '../../renders/library';
import { targetFile } from '../renders/targetFile';
import { FilesThere } from './filesThere';

/** A link of a document to an image of its workspace folder, with what stands for it. */
export interface DocumentLink {
  readonly link: ImageLink;
  /** The file, where it is there; else the one a render for it becomes. */
  readonly file: vscode.Uri;
  readonly isThere: boolean;
  /** The newest render for that very file. */
  readonly entry?: LibraryEntry;
}

/** What is read of a document; also of one that is not open. */
export type ReadDocument = Pick<vscode.TextDocument, 'uri' | 'languageId' | 'version' | 'getText'>;

type Places = readonly [Candidate, ...Candidate[]];

/** Longer documents are not read, UTF-16 code units. */
export const longestDocument = 2_000_000;

/** The image links of documents, joined with the files that are there and the renders that are to become them. */
export class DocumentLinks implements Disposable {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new Emitter<void>());
  private readonly files = this.own.add(new FilesThere());
  private readonly read = new WeakMap<ReadDocument, { version: number; links: readonly ImageLink[] }>();
  private byFile: ReadonlyMap<string, LibraryEntry> | undefined;

  /** Files or renders changed: the links of any document may stand differently. */
  readonly onDidChange = this.changed.event;

  private library: Pick<Library, 'entries'> | undefined;

  constructor() {
    this.own.add(this.files.onDidChange(() => this.changed.fire()));
  }

  /** From now on the renders are known: to be called once. Before, files alone are. */
  follow(library: Pick<Library, 'entries' | 'onDidChange' | 'onDidEnd'>): void {
    this.library = library;
    this.own.add(library.onDidChange(() => this.forgetRenders()));
    this.own.add(library.onDidEnd(() => this.files.forgetAll()));
    this.forgetRenders();
  }

  /** From now on the disk is asked anew which files are there: of one that comes and goes within a moment the editor tells nothing. */
  lookAgain(): void {
    this.files.forgetAll();
  }

  /** True when some render is, or was, to become a file that a document names. */
  get isAwaited(): boolean {
    return this.awaited().size > 0;
  }

  /** The document's links to files of its own workspace folder; those that lead elsewhere are none of ours. */
  async of(document: ReadDocument): Promise<readonly DocumentLink[]> {
    const folder = vscode.workspace.getWorkspaceFolder(document.uri);
    if (!folder) return [];
    const path = pathIn(folder, document.uri);
    const links = await Promise.all(this.linksOf(document).map((link) => this.joined(link, folder, path)));
    return links.filter((link) => link !== undefined);
  }

  /** An open document that names the file, the one in front before others; undefined when none does. */
  async documentWith(file: vscode.Uri): Promise<vscode.TextDocument | undefined> {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    const inFront = [activeTextEditor, ...visibleTextEditors].flatMap((editor) => editor?.document ?? []);
    for (const document of new Set([...inFront, ...vscode.workspace.textDocuments]))
      if ((await this.of(document)).some((link) => link.file.toString() === file.toString())) return document;
    return undefined;
  }

  dispose(): void {
    this.own.dispose();
  }

  private linksOf(document: ReadDocument): readonly ImageLink[] {
    const { version } = document;
    const known = this.read.get(document);
    if (known?.version === version) return known.links;
    const syntax = syntaxOf(document.languageId, document.uri.path);
    const text = syntax ? document.getText() : '';
    const links = syntax && text.length <= longestDocument ? imageLinks(text, syntax) : [];
    this.read.set(document, { version, links });
    return links;
  }

  private async joined(
    link: ImageLink,
    folder: vscode.WorkspaceFolder,
    path: string,
  ): Promise<DocumentLink | undefined> {
    const destination = rendersTo(link, path);
    if (destination.kind === 'none') return undefined;
    const { candidates } = destination;
    const uri = (below: string) => vscode.Uri.joinPath(folder.uri, below);
    const there = await this.first(candidates.flatMap(({ paths }) => paths.map(uri)));
    const file = there ?? uri((await this.place(candidates, uri)).paths[0]);
    return { link, file, isThere: there !== undefined, entry: this.awaited().get(file.toString()) };
  }

  private async first(files: readonly vscode.Uri[]): Promise<vscode.Uri | undefined> {
    for (const file of files) if (await this.files.has(file)) return file;
    return undefined;
  }

  /** The first candidate whose folder is there, else the last. */
  private async place(candidates: Places, uri: (path: string) => vscode.Uri): Promise<Candidate> {
    let [place] = candidates;
    for (const candidate of candidates) {
      place = candidate;
      if (await this.files.has(uri(candidate.folder))) break;
    }
    return place;
  }

  private awaited(): ReadonlyMap<string, LibraryEntry> {
    this.byFile ??= entriesByFile(this.library?.entries ?? []);
    return this.byFile;
  }

  private forgetRenders(): void {
    const before = this.byFile;
    this.byFile = undefined;
    // Most of what changes in the library is none of a document's.
    if (before && sameEntries(before, this.awaited())) return;
    this.changed.fire();
  }
}

/** The path of a file in its workspace folder, `/` between segments. */
export function pathIn(folder: vscode.WorkspaceFolder, uri: vscode.Uri): string {
  return uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
}

/** The entries are in order, the newest of a file first. */
function entriesByFile(entries: readonly LibraryEntry[]): ReadonlyMap<string, LibraryEntry> {
  const byFile = new Map<string, LibraryEntry>();
  for (const entry of entries) {
    const file = entry.record && targetFile(entry.record.target)?.toString();
    if (file !== undefined && !byFile.has(file)) byFile.set(file, entry);
  }
  return byFile;
}

function sameEntries(one: ReadonlyMap<string, LibraryEntry>, other: ReadonlyMap<string, LibraryEntry>): boolean {
  return one.size === other.size && [...one].every(([file, entry]) => other.get(file) === entry);
}
