import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Yielder } from '../../base/concurrency';
import { type Disposable, Disposables, Emitter } from '../../base/disposable';
import { type Log, reasonOf, warnOnce } from '../../base/log';
import { graphicEndings } from '../../documents/destination';
import { Ignored, packagePatterns } from '../../documents/ignored';
import { endingOf } from '../../documents/paths';
import { FolderSites, type Site, type SiteFiles } from '../../documents/site';
import { siteBuilders } from '../../documents/siteBuilders';
import { exists } from '../../editor/exists';
import { loggedPath, smallText } from '../../editor/workspaceFiles';

/** What configuration files say of the files in the open folders: which websites there are, and what builds make. */
export class Sites implements Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new Emitter<void>());
  private readonly known = new Map<string, FolderSites>();
  private readonly ignored = new Map<string, Ignored>();
  private isWatching = false;

  /** A configuration file changed. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly files: FilesThere,
    private readonly log: Log,
  ) {
    this.own.add(files.onDidChange(() => this.clear()));
  }

  /** The site that a document belongs to, by its path in the workspace folder. Never rejects. */
  of({ uri }: vscode.WorkspaceFolder, documentPath: string): Promise<Site | undefined> {
    const id = uri.toString();
    const sites = this.known.get(id) ?? new FolderSites(this.filesIn(uri));
    this.known.set(id, sites);
    return sites.of(documentPath);
  }

  /** Whether `.gitignore` excludes a file, by its path in the workspace folder. Never rejects. */
  isIgnored({ uri }: vscode.WorkspaceFolder, path: string): Promise<boolean> {
    const id = uri.toString();
    const files = this.filesIn(uri);
    const ignored = this.ignored.get(id) ?? new Ignored((file) => files.read(file), '');
    this.ignored.set(id, ignored);
    return ignored.has(path);
  }

  dispose(): void {
    this.own.dispose();
  }

  private filesIn(folder: vscode.Uri): SiteFiles {
    const at = (path: string) => vscode.Uri.joinPath(folder, path);
    return {
      has: (path) => this.files.has(at(path)),
      read: (path) => {
        this.watch();
        return smallText(at(path), this.log);
      },
      isUnclear: (path) =>
        warnOnce(this.log, `${loggedPath(at(path))} says where its images are, but not in a way we can read`),
    };
  }

  /** From the first configuration that is read, since watching takes the editor a while. */
  private watch(): void {
    if (this.isWatching) return;
    this.isWatching = true;
    const names = new Set(['.gitignore', ...siteBuilders.flatMap((builder) => builder.files)]);
    const watcher = this.own.add(
      vscode.workspace.createFileSystemWatcher(`**/{${[...names].join(',')}}`, true, false, true),
    );
    this.own.add(watcher.onDidChange(() => this.forget()));
  }

  private forget(): void {
    this.clear();
    this.changed.fire();
  }

  private clear(): void {
    this.known.clear();
    this.ignored.clear();
  }
}

/** The images of a folder: their paths in it, by their names in lower case. */
interface ImagesThere {
  readonly byName: Map<string, string[]>;
  /** There are more than are kept, so each name needs a search of its own. */
  readonly isCut: boolean;
}

/** The most images of a folder that are kept. A larger number would block the thread when it arrives. */
const mostImages = 20_000;
/** The most images with one name that a search finds. */
const mostNamed = 200;
const notSearched = `{${packagePatterns.join(',')}}`;

/** Caches which files and folders of the open folders exist, until the editor reports a change. */
export class FilesThere implements Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new Emitter<void>());
  private readonly known = new Map<string, Promise<boolean>>();
  private readonly images = new Map<string, Promise<ImagesThere>>();
  private readonly named = new Map<string, Promise<readonly string[]>>();
  /** Every file that was asked about, and its parent folders. */
  private readonly concerned = new Set<string>();

  /** An answer may have changed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly log: Log) {
    const { workspace } = vscode;
    // A folder that is deleted or created affects everything in it, often with an event only for the folder itself: so
    // watch everything.
    const watcher = this.own.add(workspace.createFileSystemWatcher('**', false, true, false));
    this.own.add(watcher.onDidCreate((uri) => this.forget(uri, true)));
    this.own.add(watcher.onDidDelete((uri) => this.forget(uri, false)));
    // The editor's own operations fire earlier than the file watcher, and also where that fires nothing.
    for (const event of [workspace.onDidDeleteFiles, workspace.onDidRenameFiles, workspace.onDidCreateFiles])
      this.own.add(event(() => this.forgetAll()));
  }

  /** Never rejects: what can't be checked counts as missing. */
  has(uri: vscode.Uri): Promise<boolean> {
    const id = uri.toString();
    let there = this.known.get(id);
    if (!there) {
      there = exists(uri);
      this.known.set(id, there);
      this.listenFor(id);
    }
    return there;
  }

  /**
   * The images of a workspace folder that have this name, in any case, by their paths in it: wherever they are but in
   * packages. Never rejects.
   */
  imagesNamed(folder: vscode.WorkspaceFolder, name: string): Promise<readonly string[]> {
    const id = imageId(folder, name.toLowerCase());
    let found = this.named.get(id);
    if (!found) {
      found = this.search(folder, name.toLowerCase());
      this.named.set(id, found);
    }
    return found;
  }

  /** Call when files changed in ways that the editor may not report, or not yet. */
  forgetAll(): void {
    this.known.clear();
    this.forgetImages();
    this.changed.fire();
  }

  dispose(): void {
    this.own.dispose();
  }

  private listenFor(id: string): void {
    for (let end = id.length; end > 0 && !this.concerned.has(id.slice(0, end)); end = id.lastIndexOf('/', end - 1))
      this.concerned.add(id.slice(0, end));
  }

  private async search(folder: vscode.WorkspaceFolder, name: string): Promise<readonly string[]> {
    const { byName, isCut } = await this.imagesIn(folder);
    if (!isCut) return byName.get(name) ?? [];
    return (await this.find(folder, `**/${inAnyCase(name)}`, mostNamed)).map((uri) => pathIn(folder, uri));
  }

  private imagesIn(folder: vscode.WorkspaceFolder): Promise<ImagesThere> {
    const id = folder.uri.toString();
    let images = this.images.get(id);
    if (!images) {
      images = this.listImages(folder);
      this.images.set(id, images);
    }
    return images;
  }

  /** One search for all names: each takes the editor as long. */
  private async listImages(folder: vscode.WorkspaceFolder): Promise<ImagesThere> {
    const endings = [...graphicEndings].map(inAnyCase).join(',');
    const found = await this.find(folder, `**/*.{${endings}}`, mostImages + 1);
    const byName = new Map<string, string[]>();
    const isCut = found.length > mostImages;
    const turns = new Yielder(systemClock);
    for (const uri of isCut ? [] : found) {
      await turns.next();
      add(byName, pathIn(folder, uri));
    }
    return { byName, isCut };
  }

  private async find(folder: vscode.WorkspaceFolder, glob: string, most: number): Promise<readonly vscode.Uri[]> {
    try {
      return await vscode.workspace.findFiles(new vscode.RelativePattern(folder, glob), notSearched, most);
    } catch (error) {
      warnOnce(this.log, `Couldn’t search a folder for images: ${reasonOf(error)}`);
      return [];
    }
  }

  private forget(uri: vscode.Uri, isCreated: boolean): void {
    const id = uri.toString();
    // Most changes in a project don't affect documents.
    const gone = this.concerned.has(id)
      ? [...this.known.keys()].filter((known) => known === id || known.startsWith(`${id}/`))
      : [];
    for (const known of gone) this.known.delete(known);
    const isAsked = this.noteImage(uri, isCreated);
    if (gone.length > 0 || isAsked) this.changed.fire();
  }

  /** Whether somebody asked for images with this name, or for any that a folder may have brought or taken away. */
  private noteImage(uri: vscode.Uri, isCreated: boolean): boolean {
    const ending = endingOf(uri.path);
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (/^\d*$/.test(ending)) return this.forgetImages();
    if (!folder || !graphicEndings.has(ending)) return false;
    const path = pathIn(folder, uri);
    const change = isCreated ? add : remove;
    void this.images.get(folder.uri.toString())?.then(({ byName }) => change(byName, path));
    return this.named.delete(imageId(folder, lowerCaseNameOf(path)));
  }

  private forgetImages(): boolean {
    const isAsked = this.named.size > 0;
    this.images.clear();
    this.named.clear();
    return isAsked;
  }
}

/** The path of a file in its workspace folder, `/` between segments. */
export function pathIn(folder: vscode.WorkspaceFolder, uri: vscode.Uri): string {
  return uri.path.slice(folder.uri.path.replace(/\/$/, '').length + 1);
}

function imageId({ uri }: vscode.WorkspaceFolder, name: string): string {
  return `${uri.toString()}/${name}`;
}

function lowerCaseNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

function add(byName: Map<string, string[]>, path: string): void {
  const same = byName.get(lowerCaseNameOf(path));
  if (!same) byName.set(lowerCaseNameOf(path), [path]);
  else if (!same.includes(path)) same.push(path);
}

function remove(byName: Map<string, string[]>, path: string): void {
  byName.set(
    lowerCaseNameOf(path),
    (byName.get(lowerCaseNameOf(path)) ?? []).filter((one) => one !== path),
  );
}

/** As a pattern, since the file search of some systems heeds case. */
function inAnyCase(name: string): string {
  return Array.from(name, (character) => {
    const cases = [character.toLowerCase(), character.toUpperCase()];
    if (/\p{L}/u.test(character)) return cases.every(({ length }) => length === 1) ? `[${cases.join('')}]` : '?';
    return /[*?[\]{}!,\\]/.test(character) ? '?' : character;
  }).join('');
}
