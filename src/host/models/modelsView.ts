import * as vscode from 'vscode';
import type { Owned } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import { contextKeys, views } from '../../app/ids';
import type { ModelNode } from '../../app/models/modelGroups';
import { setContext } from '../contextKeys';
import { lazyTree } from '../lazyTree';
import type { TreeServices } from './modelsTree';

/** Opens the Models view. When it's first visible, its content loads and the sandbox starts. */
export function openModelsView(own: Owned, services: TreeServices): void {
  const changed = own.add(new vscode.EventEmitter<undefined>());
  const tree = new Lazy(async () => {
    const [{ ModelsTree }, quotes] = await Promise.all([import('./modelsTree'), services.quotes.get()]);
    return own.add(new ModelsTree(services, view, () => changed.fire(undefined), quotes));
  });
  const options = { treeDataProvider: lazyTree(tree, changed.event), showCollapseAll: true };
  const view: vscode.TreeView<ModelNode> = own.add(vscode.window.createTreeView(views.models, options));
  setContext(contextKeys.modelsView, 'loading');
}
