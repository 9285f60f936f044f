import * as vscode from 'vscode';

/** The operations of a file system; `named` is a rename that has created the new name but not removed the old one. */
export type Operation = 'createDirectory' | 'writeFile' | 'rename' | 'named' | 'delete';

/** A file system in memory that can be made to fail. It accepts only URIs with the authority and query of its root. */
export class MemoryFiles implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  /** File contents by path; folders have none. */
  readonly entries = new Map<string, Buffer | undefined>();
  /** Called before each change, which fails with what it throws. */
  fault: (operation: Operation) => void = () => {};
  /** The part of the written content that is stored; undefined stores nothing, silently. */
  kept: (content: Buffer) => Buffer | undefined = (content) => content;

  constructor(readonly root: vscode.Uri) {
    this.entries.set(root.path, undefined);
  }

  /** Ends all faults, keeping the content. */
  mend(): void {
    this.fault = () => {};
    this.kept = (content) => content;
  }

  /** The names in a folder below the root. */
  names(folder: string): string[] {
    const above = `${this.root.path}/${folder}/`;
    return [...this.entries.keys()].filter((path) => path.startsWith(above)).map((path) => path.slice(above.length));
  }

  uri(path: string): vscode.Uri {
    return vscode.Uri.joinPath(this.root, path);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const path = this.find(uri);
    const content = this.entries.get(path);
    const type = content ? vscode.FileType.File : vscode.FileType.Directory;
    return { type, ctime: 0, mtime: Date.now(), size: content?.length ?? 0 };
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    const above = `${this.find(uri)}/`;
    return [...this.entries].flatMap(([path, content]) => {
      const name = path.startsWith(above) ? path.slice(above.length) : '/';
      if (name.includes('/')) return [];
      return [[name, content ? vscode.FileType.File : vscode.FileType.Directory] as [string, vscode.FileType]];
    });
  }

  createDirectory(uri: vscode.Uri): void {
    this.fault('createDirectory');
    this.entries.set(this.pathOf(uri), undefined);
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const content = this.entries.get(this.find(uri));
    if (!content) throw vscode.FileSystemError.FileIsADirectory(uri);
    return content;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.fault('writeFile');
    this.keep(uri, Buffer.from(content));
  }

  rename(from: vscode.Uri, to: vscode.Uri, { overwrite }: { overwrite: boolean }): void {
    const path = this.find(from);
    this.fault('rename');
    if (!overwrite && this.entries.has(this.pathOf(to))) throw vscode.FileSystemError.FileExists(to);
    this.keep(to, this.entries.get(path)!);
    this.fault('named');
    this.entries.delete(path);
  }

  delete(uri: vscode.Uri): void {
    const path = this.find(uri);
    this.fault('delete');
    this.entries.delete(path);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  private keep(uri: vscode.Uri, content: Buffer): void {
    const kept = this.kept(content);
    if (kept) this.entries.set(this.pathOf(uri), kept);
  }

  private find(uri: vscode.Uri): string {
    const path = this.pathOf(uri);
    if (!this.entries.has(path)) throw vscode.FileSystemError.FileNotFound(uri);
    return path;
  }

  private pathOf({ authority, query, path }: vscode.Uri): string {
    if (authority !== this.root.authority || query !== this.root.query)
      throw new Error(`${authority}?${query} is not the address of this file system`);
    return path;
  }
}
