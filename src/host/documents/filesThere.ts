import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { exists } from '../files/exists';

/** Caches which files and folders of the open folders exist, until the editor reports a change. */
export class FilesThere implements Disposable {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new Emitter<void>());
  private readonly known = new Map<string, Promise<boolean>>();
  /** Every file that was asked about, and its parent folders. */
  private readonly concerned = new Set<string>();

  /** An answer may have changed. */
  readonly onDidChange = this.changed.event;

  constructor() {
    const { workspace } = vscode;
    // A folder that is deleted or created affects everything in it, often with an event only for the folder itself: so
    // watch everything.
    const watcher = this.own.add(workspace.createFileSystemWatcher('**', false, true, false));
    this.own.add(watcher.onDidCreate((uri) => this.forget(uri)));
    this.own.add(watcher.onDidDelete((uri) => this.forget(uri)));
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

  /** Call when files changed in ways that the editor may not report, or not yet. */
  forgetAll(): void {
    this.known.clear();
    this.changed.fire();
  }

  dispose(): void {
    this.own.dispose();
  }

  private listenFor(id: string): void {
    for (let end = id.length; end > 0 && !this.concerned.has(id.slice(0, end)); end = id.lastIndexOf('/', end - 1))
      this.concerned.add(id.slice(0, end));
  }

  private forget(uri: vscode.Uri): void {
    const id = uri.toString();
    // Most changes in a project don't affect documents.
    if (!this.concerned.has(id)) return;
    const gone = [...this.known.keys()].filter((known) => known === id || known.startsWith(`${id}/`));
    for (const known of gone) this.known.delete(known);
    if (gone.length > 0) this.changed.fire();
  }
}
