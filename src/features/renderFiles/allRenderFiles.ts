import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, Disposables } from '../../base/disposable';
import { type Log, reasonOf } from '../../base/log';
import { Lines } from '../../documents/scan';
import { exists } from '../../editor/exists';
import { readUpTo } from '../../editor/workspaceFiles';
import {
  type AskedRender,
  type EntryProblem,
  isRenderFile,
  longestRenderFile,
  type RenderFile,
  renderFileGlob,
} from '../../renderFiles/renderFile';
import { sharedTargets, type SharedTargets } from '../../renderFiles/targets';
import { searchedFiles, type SearchedFiles } from '../links/missingSearch';
import type { ReadFile, RenderFiles, RenderText } from './renderFiles';

/** A render file of the workspace. */
export interface FoundFile extends ReadFile {
  readonly text: RenderText;
}

/** The render files of the workspace, in the order of their paths. */
export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Those that exist and can't be read, are far too large, or aren't text. */
  readonly unread: readonly vscode.Uri[];
  /** There are more, or more images in them, than were read. */
  readonly isCut: boolean;
}

/** The most render files that are read, and the number of images after which no more files are. */
const mostFiles = 200;
const mostImages = 5_000;

/** All render files of the workspace, open or not, read again when they or their images change. */
export class AllRenderFiles implements Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new vscode.EventEmitter<FoundFiles>());
  private readonly closed = new Map<string, { readonly stamp: number; readonly text: ClosedText }>();
  /** Dropped when files come or go, even while it runs: it may have missed them. */
  private searched: Promise<SearchedFiles> | undefined;
  private looking: Promise<FoundFiles> | undefined;
  private isLate = false;
  private last: FoundFiles | undefined;

  /** They have been read again. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly files: RenderFiles,
    private readonly log: Log,
  ) {
    const { workspace } = vscode;
    const watcher = this.own.add(workspace.createFileSystemWatcher(renderFileGlob));
    const searchAgain = () => {
      this.searched = undefined;
      files.lookSoon();
    };
    this.own.add(watcher.onDidChange(() => files.lookSoon()));
    this.own.add(watcher.onDidCreate(searchAgain));
    // The files in a deleted folder have no events of their own.
    const deletions = this.own.add(workspace.createFileSystemWatcher('**', true, true));
    this.own.add(deletions.onDidDelete((gone) => this.known().some(isInOrAt(gone)) && searchAgain()));
    this.own.add(workspace.onDidChangeWorkspaceFolders(searchAgain));
    // Unsaved changes are gone.
    this.own.add(workspace.onDidCloseTextDocument(({ uri }) => isRenderFile(uri.path) && files.lookSoon()));
    this.own.add(files.onDidChange(() => void this.look()));
  }

  /** The files as they were last read, or else as they are now. Never rejects. */
  get(): Promise<FoundFiles> {
    return this.last ? Promise.resolve(this.last) : this.look();
  }

  /** The files as they are now. Never rejects. */
  look(): Promise<FoundFiles> {
    this.isLate = true;
    this.looking ??= this.readUntilCurrent().finally(() => (this.looking = undefined));
    return this.looking;
  }

  dispose(): void {
    this.own.dispose();
  }

  private async readUntilCurrent(): Promise<FoundFiles> {
    let found: FoundFiles = { files: [], unread: [], isCut: false };
    while (this.isLate) {
      this.isLate = false;
      found = await this.readAll();
    }
    this.last = found;
    this.changed.fire(found);
    return found;
  }

  private async readAll(): Promise<FoundFiles> {
    const { uris, isCut } = await (this.searched ??= this.search());
    const [files, unread]: [FoundFile[], vscode.Uri[]] = [[], []];
    let images = 0;
    for (const uri of uris) {
      if (images > mostImages) return { files, unread, isCut: true };
      const text = await this.textOf(uri);
      const read = text && (await this.files.read(text));
      if (read) files.push({ text, ...read });
      else if (await exists(uri)) unread.push(uri);
      images += read?.states.length ?? 0;
    }
    return { files, unread, isCut };
  }

  private async search(): Promise<SearchedFiles> {
    try {
      return await searchedFiles(renderFileGlob, undefined, mostFiles, this.log);
    } catch (error) {
      this.log.warn(`Couldn’t search for render files: ${reasonOf(error)}`);
      this.searched = undefined;
      return { uris: [], isCut: false };
    }
  }

  /** Those that were last read, or couldn't be. */
  private known(): readonly vscode.Uri[] {
    const { files = [], unread = [] } = this.last ?? {};
    return [...files.map(({ text }) => text.uri), ...unread];
  }

  /** Unsaved changes count. Undefined if it can't be read. */
  private async textOf(uri: vscode.Uri): Promise<RenderText | undefined> {
    const id = uri.toString();
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === id);
    return open ?? this.closedText(uri, id);
  }

  private async closedText(uri: vscode.Uri, id: string): Promise<ClosedText | undefined> {
    const { workspace } = vscode;
    try {
      const { mtime } = await workspace.fs.stat(uri);
      const before = this.closed.get(id);
      if (before?.stamp === mtime) return before.text;
      // A character has at most four bytes.
      const bytes = await readUpTo(uri, longestRenderFile * 4, this.log);
      const text = bytes && new ClosedText(uri, await workspace.decode(bytes, { uri }));
      if (text) this.closed.set(id, { stamp: mtime, text });
      return text;
    } catch {
      // Deleted in the meantime, unreadable, or not text.
      return undefined;
    }
  }
}

/** What several of these files list. Paths are those below a workspace folder, so each has its own. */
export async function sharedIn(files: readonly ReadFile[]): Promise<SharedTargets> {
  const [problems, unsound] = [new Map<RenderFile, readonly EntryProblem[]>(), new Set<AskedRender>()];
  for (const folder of new Set(files.map((one) => one.folder.toString()))) {
    const here = files.filter((one) => one.folder.toString() === folder).map(({ file }) => file);
    const shared = await sharedTargets(here, systemClock);
    for (const [file, problemsOfFile] of shared.problems) problems.set(file, problemsOfFile);
    for (const render of shared.unsound) unsound.add(render);
  }
  return { problems, unsound };
}

function isInOrAt({ path }: vscode.Uri): (uri: vscode.Uri) => boolean {
  return (uri) => uri.path === path || uri.path.startsWith(`${path}/`);
}

/** The text of a file that no editor has open. Opening it would show it to every extension. */
class ClosedText implements RenderText {
  readonly version = 1;
  private lines: Lines | undefined;

  constructor(
    readonly uri: vscode.Uri,
    private readonly text: string,
  ) {}

  getText(): string {
    return this.text;
  }

  positionAt(offset: number): vscode.Position {
    this.lines ??= new Lines(this.text);
    const { line, column } = this.lines.placeOf(offset);
    return new vscode.Position(line, column);
  }
}
