import { checkInputs, initialValues } from '../../../catalog/fields';
import type { Listing, Model, ModelKind, ModelSummary } from '../../../catalog/types';
import type { Writing } from '../../../compose/writing';
import { knownModel } from './knownModel';

/** The source of models. */
interface Models {
  model(id: string): Promise<Model>;
  models(): Promise<Listing<ModelSummary>>;
}

/** How many models are tried. */
const mostLookedAt = 5;

/**
 * The default model before any was used: the first of its kind that needs only the typed text, and accepts all of it.
 * If no model is known to be of that kind, the first of unknown kind. Undefined when none of the first few fits.
 * Rejects with ServiceError.
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

/** The models known to make this; if there are none, those whose kind is unknown. */
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
