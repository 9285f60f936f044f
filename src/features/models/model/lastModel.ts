import type { GivenImage } from '../../../base/givenImage';
import type { Store } from '../../../base/store';
import { ServiceError } from '../../../catalog/errors';
import {
  checkInputs,
  type FieldValues,
  imageFor,
  imagePlaces,
  initialValues,
  type Listing,
  type Model,
  type ModelKind,
  type ModelSummary,
  mayMake,
  valueOfImages,
} from '../../../catalog/fields';
import type { Writing } from '../../../compose/writing';

/** The default model: the one a user set, else the last one used that way without a failure. */
export class LastModel {
  constructor(
    private readonly everywhere: Store,
    private readonly key = 'quickRender.lastModel',
    private readonly chosen: () => string = () => '',
  ) {}

  read(): string | undefined {
    return this.chosen() || this.kept(this.key);
  }

  async keep(modelId: string): Promise<void> {
    const before = this.kept(this.key);
    if (before === modelId) return;
    await this.everywhere.update(this.beforeKey, before);
    await this.everywhere.update(this.key, modelId);
  }

  /** A render with this model failed: if it was the last one, the previous one is restored. */
  async failed(modelId: string): Promise<void> {
    if (this.kept(this.key) !== modelId) return;
    await this.everywhere.update(this.key, this.kept(this.beforeKey));
    await this.everywhere.update(this.beforeKey, undefined);
  }

  private get beforeKey(): string {
    return `${this.key}.before`;
  }

  private kept(key: string): string | undefined {
    const kept = this.everywhere.get(key);
    return typeof kept === 'string' && kept !== '' ? kept : undefined;
  }
}

/** The source of models. */
interface Models {
  model(id: string): Promise<Model>;
  models(): Promise<Listing<ModelSummary>>;
  /** Without a request, though it may be in progress. */
  readModel(id: string): Promise<Model | undefined>;
}

/** How many models are tried. */
const mostLookedAt = 5;

/**
 * How many models are read to find those that take images, which may be few: reading the fields of more would be too
 * much to ask of a service.
 */
export const mostReadForImages = 40;

/**
 * The default model before any was used: of those that seem made for what is written, the cheapest of its kind whose
 * price is known (`centsOf`), else the first, that needs only the typed text, and the image if there is one, and
 * accepts all of it. If no model is known to be of that kind, or an image is to be changed, also those of unknown kind.
 * Undefined when none of the first few fits. Rejects with ServiceError.
 */
export async function firstModel(
  session: Models,
  kind: ModelKind,
  writing: Writing,
  typed: string,
  image?: GivenImage,
  centsOf: (modelId: string) => number | undefined = () => undefined,
): Promise<Model | undefined> {
  const { items } = await session.models();
  const real = items.filter(({ isForTesting }) => !isForTesting);
  if (image) {
    const able = real.filter((model) => mayMake(model, kind));
    const tried = cheapestFirst(able, centsOf).slice(0, mostReadForImages);
    const read = await Promise.all(tried.map(({ id }) => session.model(id).catch(() => undefined)));
    return read.find((model) => model && isEnoughFor(model, writing, typed, image));
  }
  const able = await nearestFirst(cheapestFirst(ofKind(real, kind), centsOf), writing, session);
  for (const { id } of able.slice(0, mostLookedAt)) {
    const model = await knownModel(session.model(id));
    if (model && isEnoughFor(model, writing, typed)) return model;
  }
  return undefined;
}

/** Asks the service nothing, and waits for none of its responses: it may never respond. */
async function nearestFirst(
  models: readonly ModelSummary[],
  writing: Writing,
  session: Models,
): Promise<readonly ModelSummary[]> {
  if (!writing.distance) return models;
  const passed = new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));
  const measured = models.map(async (model) => {
    const read = await Promise.race([session.readModel(model.id), passed]);
    return { model, far: writing.distance?.(model, read?.fields) ?? 0 };
  });
  return (await Promise.all(measured)).sort((a, b) => a.far - b.far).map(({ model }) => model);
}

/** Those without a known price come last. */
function cheapestFirst(
  models: readonly ModelSummary[],
  centsOf: (modelId: string) => number | undefined,
): readonly ModelSummary[] {
  const cents = ({ id }: ModelSummary) => centsOf(id) ?? Number.MAX_SAFE_INTEGER;
  return models.toSorted((a, b) => cents(a) - cents(b));
}

/** The models known to make this; if there are none, those whose kind is unknown. */
export function ofKind(models: readonly ModelSummary[], kind: ModelKind): readonly ModelSummary[] {
  const known = models.filter((model) => model.kind === kind);
  return known.length > 0 ? known : models.filter((model) => model.kind === undefined);
}

function isEnoughFor({ fields }: Model, writing: Writing, typed: string, image?: GivenImage): boolean {
  const written = writing.fields(fields);
  const [place] = image ? imagePlaces(fields, image) : [];
  if (image && !place) return false;
  const given: FieldValues = image && place ? [[place.name, valueOfImages([imageFor(place, image)])]] : [];
  const values = new Map([...initialValues(fields), ...writing.values(fields, typed), ...given]);
  const issues = checkInputs(fields, [...values]).filter(
    ([name, { code }]) => !(code === 'required' && written.some((field) => field.name === name)),
  );
  return written.length > 0 && issues.length === 0;
}

/** The model; undefined when the service no longer knows it. */
export async function knownModel(asking: Promise<Model>): Promise<Model | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}
