import * as vscode from 'vscode';
import { type Disposable, Disposables, Lazy } from '../../base/disposable';
import { type Log, reasonOf } from '../../base/log';
import type { Connection } from '../account/connection';
import type { Countdown } from '../account/model/keyNotice';
import { views } from '../../editor/ids';
import { dragType } from '../../editor/page/page';
import type { Renders } from '../rendering/renders';
import { lazyTree } from '../../editor/lazyTree';
import type { GenerationsTree, TreeNode } from './generationsTree';

/** The Generations view: a shell until it is first visible, when its content loads, and with that the ledger. */
export class GenerationsView implements Disposable, vscode.TreeDragAndDropController<TreeNode> {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new vscode.EventEmitter<TreeNode[] | undefined>());
  /** Its rows, for what is selected of them. */
  readonly view: vscode.TreeView<TreeNode>;
  private readonly tree = new Lazy(() => this.fill());

  readonly dragMimeTypes = ['text/uri-list'];
  readonly dropMimeTypes = [];

  constructor(
    private readonly renders: Lazy<Renders>,
    private readonly connection: Connection,
    private readonly countdown: Countdown,
    private readonly log: Log,
  ) {
    this.view = this.own.add(
      vscode.window.createTreeView<TreeNode>(views.generations, {
        treeDataProvider: {
          ...lazyTree<TreeNode>(this.tree, this.changed.event),
          getChildren: (node) => this.childrenOf(node),
        },
        dragAndDropController: this,
        canSelectMany: true,
        showCollapseAll: true,
      }),
    );
    this.own.add(this.view.onDidChangeVisibility(({ visible }) => visible && void this.refresh()));
  }

  /** The content of the view. Rejects with LedgerError when there is no readable ledger. */
  get contents(): Promise<GenerationsTree> {
    return this.tree.get();
  }

  /** Requests the service's list and shows the outcome. Never rejects. */
  async refresh(): Promise<void> {
    await vscode.window.withProgress({ location: { viewId: views.generations } }, async () => {
      try {
        await this.connection.ready();
        await (await this.renders.get()).refresh();
      } catch (error) {
        await this.fail(error);
      }
    });
  }

  /** Results are dragged as their files. */
  handleDrag(nodes: readonly TreeNode[], transfer: vscode.DataTransfer): void {
    // A staged result has no final place yet.
    const files = nodes.flatMap((node) => ('id' in node && !node.entry.record?.staged ? (node.entry.file ?? []) : []));
    if (files.length === 0) return;
    for (const type of [...this.dragMimeTypes, dragType])
      transfer.set(type, new vscode.DataTransferItem(files.join('\r\n')));
  }

  dispose(): void {
    this.own.dispose();
  }

  private async childrenOf(node?: TreeNode): Promise<TreeNode[]> {
    try {
      return (await this.contents).childrenOf(node);
    } catch (error) {
      await this.fail(error);
      return [];
    }
  }

  private async fill(): Promise<GenerationsTree> {
    const [{ GenerationsTree }, renders] = await Promise.all([import('./generationsTree'), this.renders.get()]);
    const readAgain = (nodes: TreeNode[] | undefined) => this.changed.fire(nodes);
    const tree = this.own.add(new GenerationsTree(renders, this.countdown, this.view, readAgain));
    // Showing the view also refreshes the service's list, for renders started elsewhere.
    void this.refresh();
    return tree;
  }

  private async fail(error: unknown): Promise<void> {
    this.log.error(`Generations: ${reasonOf(error)}`);
    this.view.message = (await import('../../editor/words')).sentenceOf(error);
  }
}
