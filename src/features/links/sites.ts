import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Log } from '../../base/log';
import { warnOnce } from '../../base/warnOnce';
import { Ignored } from '../../documents/ignored';
import { FolderSites, type Site, type SiteFiles } from '../../documents/site';
import { siteBuilders } from '../../documents/siteBuilders';
import { relativePath } from '../../editor/readUpTo';
import { smallText } from '../../editor/smallText';
import type { FilesThere } from './filesThere';

/** What configuration files say of the files in the open folders: which websites there are, and what builds make. */
export class Sites implements Disposable {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new Emitter<void>());
  private readonly known = new Map<string, FolderSites>();
  private readonly ignored = new Map<string, Ignored>();
  private isWatching = false;

  /** A configuration file changed. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly files: Pick<FilesThere, 'has' | 'onDidChange'>,
    private readonly log: Pick<Log, 'warn'>,
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
      cannotTell: (path) =>
        warnOnce(this.log, `${relativePath(at(path))} says where its images are, but not in a way we can read`),
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
