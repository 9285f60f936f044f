import type * as vscode from 'vscode';
import type { Lazy } from '../base/disposable';

/** The content of a tree view. */
export interface TreeContent<Node> {
  childrenOf(node?: Node): Node[] | Promise<Node[]>;
  itemOf(node: Node): vscode.TreeItem;
  /** The item with what is expensive, such as its tooltip: built on hover. */
  resolved(item: vscode.TreeItem, node: Node): Promise<vscode.TreeItem>;
}

/** A tree whose content loads when its view is first visible. */
export function lazyTree<Node>(
  content: Lazy<TreeContent<Node>>,
  onDidChangeTreeData: vscode.Event<Node[] | undefined>,
): vscode.TreeDataProvider<Node> {
  return {
    onDidChangeTreeData,
    getChildren: async (node) => (await content.get()).childrenOf(node),
    getTreeItem: async (node) => (await content.get()).itemOf(node),
    resolveTreeItem: async (item, node) => (await content.get()).resolved(item, node),
  };
}
