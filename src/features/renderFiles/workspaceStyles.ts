import * as vscode from 'vscode';
import { projectStyles, type ProjectStyle, type StyleShelf } from '../../compose/projectStyles';
import { Owned, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { AllRenderFiles, FoundFiles } from './allRenderFiles';

const lastKey = 'styles.last';

/** The styles that the workspace's render files define. */
export class WorkspaceStyles implements StyleShelf, Disposable {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private found: readonly ProjectStyle[] = [];
  private shown = '[]';

  constructor(private readonly memory: vscode.Memento) {
    this.own.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.changed.fire()));
  }

  /** From now on there are render files: to be called once. */
  follow(all: AllRenderFiles): void {
    this.own.add(all.onDidChange((files) => this.take(files)));
    void all.get().then((files) => this.take(files));
  }

  /** A folder that isn't trusted adds nothing to what a person sends. */
  get styles(): readonly ProjectStyle[] {
    return vscode.workspace.isTrusted ? this.found : [];
  }

  get last(): string | undefined {
    return this.memory.get<string>(lastKey);
  }

  keep(id: string | undefined): void {
    if (id === this.last) return;
    void this.memory.update(lastKey, id);
    this.changed.fire();
  }

  dispose(): void {
    this.own.dispose();
  }

  private take({ files }: FoundFiles): void {
    const found = projectStyles(
      files.map(({ file }) => file),
      files.map(({ text }) => vscode.workspace.asRelativePath(text.uri)),
    );
    const shown = JSON.stringify(found.map((style) => ({ ...style, inputs: [...style.inputs] })));
    if (shown === this.shown) return;
    this.found = found;
    this.shown = shown;
    this.changed.fire();
  }
}
