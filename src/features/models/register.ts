import type { Owned } from '../../base/disposable';
import { commands as ids } from '../../editor/ids';
import type { Foundation } from '../../foundation';
import { openModelsView } from './modelsView';
import type { OpenForm } from '../../compose/openForm';

/** The Models view, and the commands for its models. Loads search and clipboard on first use. */
export function register(own: Owned, foundation: Foundation, openForm: OpenForm): void {
  const { commands, connection, list, shelf } = foundation;
  openModelsView(own, foundation);
  const picker = () => import('./modelPicker');
  const named = async (model: unknown) => (await picker()).modelIdOf(model);
  const listed = async () => {
    await connection.start();
    return list.read();
  };
  commands.register(ids.openModel, async (model) => {
    const { chooseModel } = await picker();
    const modelId = await chooseModel(model, listed, shelf);
    if (modelId === undefined) return;
    await openForm(modelId);
  });
  commands.register(ids.addFavourite, async (model) => {
    const modelId = await named(model);
    if (modelId !== undefined) await shelf.addFavourite(modelId);
  });
  commands.register(ids.removeFavourite, async (model) => {
    const modelId = await named(model);
    if (modelId !== undefined) await shelf.removeFavourite(modelId);
  });
  commands.register(ids.copyModelId, async (model) => (await picker()).copyModelId(model));
}
