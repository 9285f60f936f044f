import * as vscode from 'vscode';
import { contextKeys } from '../../editor/ids';
import { Owned, type Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import type { Ledger } from '../../renders/ledger';
import type { Library } from '../../renders/library';
import { setContext } from '../account/contextKeys';

/** Sets the context key for folders with results, where the Explorer offers actions for results. */
export class ResultFolders implements Disposable {
  private readonly own = new Owned();
  /** URIs. */
  private readonly folders = new Set<string>();

  constructor(library: Pick<Library, 'recorded' | 'whole'>, ledger: Pick<Ledger, 'onDidChange'>, log: Log) {
    this.own.add(
      ledger.onDidChange(({ state, file, staged }) => {
        if (state === 'saved' && file !== undefined && staged !== true) this.add([file]);
      }),
    );
    library.whole
      .then(() => this.add([...library.recorded].flatMap(({ file }) => file ?? [])))
      .catch((error: unknown) => log.warn(`Couldn’t find the folders of results: ${reasonOf(error)}`));
  }

  /** The folders of these files (URIs) hold results. */
  add(files: readonly string[]): void {
    const before = this.folders.size;
    for (const file of files) this.folders.add(file.slice(0, file.lastIndexOf('/')));
    // In the form of `resourceDirname`.
    const paths = () => [...this.folders].map((folder) => vscode.Uri.parse(folder).fsPath);
    if (this.folders.size > before) setContext(contextKeys.resultFolders, paths());
  }

  dispose(): void {
    this.own.dispose();
  }
}
