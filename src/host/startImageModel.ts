import { checkField, initialValues, promptField } from '../catalog/fields';
import type { Listing, Model, ModelSummary } from '../catalog/types';
import { knownModel } from './knownModel';

/** Where models are read. */
interface Models {
  model(id: string): Promise<Model>;
  models(): Promise<Listing<ModelSummary>>;
}

/** How many models are looked at for a first one. */
const mostLookedAt = 5;

/**
 * The image model to begin with: the last one, else the first that needs only a prompt; undefined when there is none. Rejects with
 * ServiceError.
 */
export async function startImageModel(session: Models, last: string | undefined): Promise<Model | undefined> {
  const model = last === undefined ? undefined : await knownModel(session.model(last));
  if (model?.kind === 'image') return model;
  const { items } = await session.models();
  for (const { id } of items.filter(({ kind }) => kind === 'image').slice(0, mostLookedAt)) {
    const suggested = await knownModel(session.model(id));
    if (suggested && needsOnlyPrompt(suggested)) return suggested;
  }
  return undefined;
}

function needsOnlyPrompt({ fields }: Model): boolean {
  const prompt = promptField(fields);
  const values = new Map(initialValues(fields));
  return (
    prompt !== undefined &&
    fields.every((field) => field === prompt || !checkField(field, values.get(field.name) ?? ''))
  );
}
