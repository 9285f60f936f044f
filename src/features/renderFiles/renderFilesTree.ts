import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { entryRows } from './model/entryRows';
import { isDue } from '../../renderFiles/states';
import type { TreeContent } from '../../editor/lazyTree';
import type { AllRenderFiles, FoundFiles } from './allRenderFiles';
import { itemOf, tooltipOf, type Row } from './renderFileItem';

/** The Render Files view: the files of the workspace, their entries, and the images of entries with several. */
export class RenderFilesTree implements TreeContent<Row>, Disposable {
  private readonly own = new Owned();
  readonly itemOf = itemOf;

  /** `readAgain` makes the view refresh everything. */
  constructor(
    private readonly all: AllRenderFiles,
    private readonly view: Pick<vscode.TreeView<Row>, 'badge' | 'message'>,
    private readonly readAgain: () => void,
  ) {
    this.own.add(all.onDidChange((found) => this.show(found)));
    void this.showFirst();
  }

  async childrenOf(row?: Row): Promise<Row[]> {
    if (!row) return (await this.all.get()).files.map((file) => ({ file, uri: file.text.uri }));
    const { file, uri, entry } = row;
    if (!entry) return entryRows(file.file, file.states).map((one) => ({ file, uri, entry: one }));
    return entry.states.map((image) => ({ file, uri, entry, image }));
  }

  async resolved(item: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    item.tooltip = await tooltipOf(row);
    return item;
  }

  dispose(): void {
    this.own.dispose();
  }

  private async showFirst(): Promise<void> {
    this.show(await this.all.get());
  }

  private show({ files, isCut }: FoundFiles): void {
    const due = files.flatMap(({ states }) => states).filter(isDue).length;
    const tooltip =
      due === 1 ? vscode.l10n.t('1 image missing or stale') : vscode.l10n.t('{0} images missing or stale', due);
    this.view.badge = due > 0 ? { value: due, tooltip } : undefined;
    this.view.message = isCut
      ? vscode.l10n.t('There are too many render files to show. The first {0} are listed.', files.length)
      : undefined;
    this.readAgain();
  }
}
