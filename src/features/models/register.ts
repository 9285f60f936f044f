import * as vscode from 'vscode';
import { type Disposables, Lazy } from '../../base/disposable';
import type { OpenForm } from '../../compose/openForm';
import { commands as ids, contextKeys, views } from '../../editor/ids';
import { lazyTree } from '../../editor/lazyTree';
import type { Foundation } from '../../foundation';
import { setContext } from '../account/contextKeys';
import type { ModelNode } from './model/modelGroups';

/** The Models view, and the commands for its models. Loads search and clipboard on first use. */
export function register(own: Disposables, foundation: Foundation, openForm: OpenForm): void {
  const { commands, connection, list, chosenModels } = foundation;
  openModelsView(own, foundation);
  const picker = () => import('./modelPicker');
  const named = async (model: unknown) => (await picker()).modelIdOf(model);
  const listed = async () => {
    await connection.start();
    return list.read();
  };
  commands.register(ids.openModel, async (model) => {
    const { chooseModel } = await picker();
    const chosen = await chooseModel(model, listed, foundation);
    if (chosen) await openForm(...chosen);
  });
  commands.register(ids.addFavourite, async (model) => {
    const modelId = await named(model);
    if (modelId !== undefined) await chosenModels.addFavourite(modelId);
  });
  commands.register(ids.removeFavourite, async (model) => {
    const modelId = await named(model);
    if (modelId !== undefined) await chosenModels.removeFavourite(modelId);
  });
  commands.register(ids.copyModelId, async (model) => (await picker()).copyModelId(model));
}

/** Opens the Models view. When it's first visible, its content loads and the sandbox starts. */
function openModelsView(own: Disposables, foundation: Foundation): void {
  const changed = own.add(new vscode.EventEmitter<undefined>());
  const tree = new Lazy(async () => {
    const [{ ModelsTree }, prices] = await Promise.all([import('./modelsTree'), foundation.prices.get()]);
    return own.add(new ModelsTree(foundation, view, () => changed.fire(undefined), prices));
  });
  const options = { treeDataProvider: lazyTree(tree, changed.event), showCollapseAll: true };
  const view: vscode.TreeView<ModelNode> = own.add(vscode.window.createTreeView(views.models, options));
  setContext(contextKeys.modelsView, 'loading');
}
