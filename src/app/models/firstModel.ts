import { checkInputs, initialValues } from '../../catalog/fields';
import type { Listing, Model, ModelKind, ModelSummary } from '../../catalog/types';
import type { Writing } from '../quickRender/writing';
import { knownModel } from './knownModel';

/** Where models are read. */
interface Models {
  model(id: string): Promise<Model>;
  models(): Promise<Listing<ModelSummary>>;
}

/** How many models are looked at. */
const mostLookedAt = 5;

/**
 * The model to begin with where none was used before: the first of its kind that needs only what is typed, and takes as
 * much as there is. Where no model is known to be of that kind, the first whose kind nobody states. Undefined when
 * there is none among the first few. Rejects with ServiceError.
 */
export async function firstModel(
  session: Models,
  kind: ModelKind,
  writing: Writing,
  typed: string,
): Promise<Model | undefined> {
  const { items } = await session.models();
  for (const { id } of ofKind(items, kind).slice(0, mostLookedAt)) {
    const model = await knownModel(session.model(id));
    if (model && isEnoughFor(model, writing, typed)) return model;
  }
  return undefined;
}

/** The models that are known to make this; where none is, those of which nobody says what they make. */
export function ofKind(models: readonly ModelSummary[], kind: ModelKind): readonly ModelSummary[] {
  const known = models.filter((model) => model.kind === kind);
  return known.length > 0 ? known : models.filter((model) => model.kind === undefined);
}

function isEnoughFor({ fields }: Model, writing: Writing, typed: string): boolean {
  const written = writing.fields(fields);
  const values = new Map([...initialValues(fields), ...writing.values(fields, typed)]);
  const issues = checkInputs(fields, [...values]).filter(
    ([name, { code }]) => !(code === 'required' && written.some((field) => field.name === name)),
  );
  return written.length > 0 && issues.length === 0;
}
