import type { Connection } from '../account/connection';
import type { Commands } from '../commands';
import { commands as ids } from '../ids';
import type { ModelList } from './modelList';
import type { ModelShelf } from './modelShelf';

/** What the commands of models work on. */
export interface ModelParts {
  readonly connection: Pick<Connection, 'start'>;
  readonly list: ModelList;
  readonly shelf: ModelShelf;
  /** Shows the form of a model. */
  readonly openForm: (modelId: string) => Promise<void>;
}

/** The commands of the Models view and its models. Search and clipboard load with the first use. */
export function registerModelCommands(commands: Commands, { connection, list, shelf, openForm }: ModelParts): void {
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
    await shelf.use(modelId);
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
