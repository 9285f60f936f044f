import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { imageEndings } from '../../documents/imageEndings';
import { exists } from '../exists';

const endings = [...imageEndings, 'pdf', 'eps'].flatMap((ending) => [ending, ending.toUpperCase()]);

/** Which images of the open folders are there: what was asked for once is remembered until the editor hears of a change. */
export class FilesThere implements Disposable {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new Emitter<void>());
  private readonly known = new Map<string, Promise<boolean>>();

  /** Another answer may be due. */
  readonly onDidChange = this.changed.event;

  constructor() {
    const { workspace } = vscode;
    const watcher = this.own.add(workspace.createFileSystemWatcher(`**/*.{${endings.join(',')}}`, false, true, false));
    const forget = (uri: vscode.Uri) => {
      if (this.known.delete(uri.toString())) this.changed.fire();
    };
    this.own.add(watcher.onDidCreate(forget));
    this.own.add(watcher.onDidDelete(forget));
    // A folder that goes or comes takes its files with it, and the watcher hears of the folder alone.
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
}
