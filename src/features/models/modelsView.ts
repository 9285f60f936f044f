import * as vscode from 'vscode';
import type { Owned } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import { contextKeys, views } from '../../editor/ids';
import type { ModelNode } from './model/modelGroups';
import { setContext } from '../account/contextKeys';
import { lazyTree } from '../../editor/lazyTree';
import type { Foundation } from '../../foundation';

/** Opens the Models view. When it's first visible, its content loads and the sandbox starts. */
export function openModelsView(own: Owned, foundation: Foundation): void {
  const changed = own.add(new vscode.EventEmitter<undefined>());
  const tree = new Lazy(async () => {
    const [{ ModelsTree }, quotes] = await Promise.all([import('./modelsTree'), foundation.quotes.get()]);
    return own.add(new ModelsTree(foundation, view, () => changed.fire(undefined), quotes));
  });
  const options = { treeDataProvider: lazyTree(tree, changed.event), showCollapseAll: true };
  const view: vscode.TreeView<ModelNode> = own.add(vscode.window.createTreeView(views.models, options));
  setContext(contextKeys.modelsView, 'loading');
}
