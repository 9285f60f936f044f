import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import type { Lazy } from '../../base/lazy';
import { views } from '../../app/ids';
import { entryRows } from '../../app/renderFiles/entryRows';
import { isDue } from '../../renderFiles/states';
import type { AllRenderFiles, FoundFiles } from './allRenderFiles';
import { itemOf, tooltipOf, type Row } from './renderFileItem';

/** The Render Files view: the files of the workspace, their entries, and the images of entries with several. */
export class RenderFilesView implements vscode.TreeDataProvider<Row>, Disposable {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new vscode.EventEmitter<undefined>());
  private readonly view: vscode.TreeView<Row>;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly all: Lazy<AllRenderFiles>) {
    const options = { treeDataProvider: this, showCollapseAll: true };
    this.view = this.own.add(vscode.window.createTreeView(views.renderFiles, options));
  }

  /** Shows the files as they have been read. */
  show({ files, isCut }: FoundFiles): void {
    const due = files.flatMap(({ states }) => states).filter(isDue).length;
    const tooltip =
      due === 1 ? vscode.l10n.t('1 image missing or stale') : vscode.l10n.t('{0} images missing or stale', due);
    this.view.badge = due > 0 ? { value: due, tooltip } : undefined;
    this.view.message = isCut
      ? vscode.l10n.t('There are too many render files to show. The first {0} are listed.', files.length)
      : undefined;
    this.changed.fire(undefined);
  }

  async getChildren(row?: Row): Promise<Row[]> {
    if (!row) return (await (await this.all.get()).get()).files.map((file) => ({ file, uri: file.text.uri }));
    const { file, uri, entry } = row;
    if (!entry) return entryRows(file.file, file.states).map((one) => ({ file, uri, entry: one }));
    return entry.states.map((image) => ({ file, uri, entry, image }));
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return itemOf(row);
  }

  /** Tooltips are expensive, so they're built on hover. */
  async resolveTreeItem(item: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    item.tooltip = await tooltipOf(row);
    return item;
  }

  dispose(): void {
    this.own.dispose();
  }
}
