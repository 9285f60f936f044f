import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import { setContext } from '../contextKeys';
import { contextKeys, views } from '../../app/ids';
import type { ModelNode } from '../../app/models/modelGroups';
import type { ModelsTree, TreeServices } from './modelsTree';

/** The Models view: a shell until it is first visible, when its content loads and the sandbox starts. */
export class ModelsView implements vscode.TreeDataProvider<ModelNode>, Disposable {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new vscode.EventEmitter<undefined>());
  private readonly tree: Lazy<ModelsTree>;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(services: TreeServices) {
    const options = { treeDataProvider: this, showCollapseAll: true };
    const view = this.own.add(vscode.window.createTreeView(views.models, options));
    setContext(contextKeys.modelsView, 'loading');
    this.tree = new Lazy(async () => {
      const [{ ModelsTree }, quotes] = await Promise.all([import('./modelsTree'), services.quotes.get()]);
      return this.own.add(new ModelsTree(services, view, () => this.changed.fire(undefined), quotes));
    });
  }

  async getChildren(node?: ModelNode): Promise<ModelNode[]> {
    return (await this.tree.get()).childrenOf(node);
  }

  async getTreeItem(node: ModelNode): Promise<vscode.TreeItem> {
    return (await this.tree.get()).itemOf(node);
  }

  /** Fields and defaults are requested from the service on hover. */
  async resolveTreeItem(item: vscode.TreeItem, node: ModelNode): Promise<vscode.TreeItem> {
    return (await this.tree.get()).resolved(item, node);
  }

  dispose(): void {
    this.own.dispose();
  }
}
