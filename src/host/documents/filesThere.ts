import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { exists } from '../files/exists';

/**
 * Which files and folders of the open folders are there: what was asked for once is remembered until the editor hears
 * of a change.
 */
export class FilesThere implements Disposable {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new Emitter<void>());
  private readonly known = new Map<string, Promise<boolean>>();
  /** What was ever asked for, and every folder around it. */
  private readonly concerned = new Set<string>();

  /** Another answer may be due. */
  readonly onDidChange = this.changed.event;

  constructor() {
    const { workspace } = vscode;
    // A folder that goes or comes takes what is in it with it, and often of the folder alone is heard: so all is
    // listened to.
    const watcher = this.own.add(workspace.createFileSystemWatcher('**', false, true, false));
    this.own.add(watcher.onDidCreate((uri) => this.forget(uri)));
    this.own.add(watcher.onDidDelete((uri) => this.forget(uri)));
    // What is done in the editor is heard of before the disk tells, and where it tells nothing.
    for (const event of [workspace.onDidDeleteFiles, workspace.onDidRenameFiles, workspace.onDidCreateFiles])
      this.own.add(event(() => this.forgetAll()));
  }

  /** Never rejects: what cannot be looked at counts as not there. */
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

  /** To be called when files came or went of which the editor may not hear, or not yet. */
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
    // Most of what comes and goes in a project is no document's concern.
    if (!this.concerned.has(id)) return;
    const gone = [...this.known.keys()].filter((known) => known === id || known.startsWith(`${id}/`));
    for (const known of gone) this.known.delete(known);
    if (gone.length > 0) this.changed.fire();
  }
}
