import { knownLocale } from '../../../base/locale';
import { modelNamed } from '../../../catalog/modelSchema';
import type { ModelSummary } from '../../../catalog/types';

/** A node of the Models view; `id` is stable across refreshes, and unique even when a model appears twice. */
export type ModelNode = ModelGroup | ModelLeaf;

export interface ModelGroup {
  readonly kind: 'favourites' | 'recent' | 'provider' | 'family';
  readonly id: string;
  readonly label: string;
  /** What its models' IDs begin with, if it has one. */
  readonly path?: string;
  readonly children: readonly ModelNode[];
}

export interface ModelLeaf {
  readonly kind: 'model';
  readonly id: string;
  readonly model: ModelSummary;
  /** Not in the service's list; opening it shows whether it exists. */
  readonly isUnlisted?: boolean;
}

/**
 * Provider → family → model, each in alphabetical order of the locale. A provider’s only family is merged into it, and
 * one of several families with a single model has no level of its own. A model without a family in its id is below its
 * provider, and without a provider at the top; an id listed twice appears once.
 */
export function groupModels(models: readonly ModelSummary[], locale: string): ModelNode[] {
  const once = new Map(models.map((model) => [model.id, model]));
  const byProvider = groupBy(once.values(), (model) => model.provider);
  const nodes = [...byProvider].flatMap(([provider, own]) => providerNodes(provider, own, locale));
  return inOrder(nodes, locale);
}

/** The group of the models with these ids, listed or not, in their order; undefined without any. */
export function ownGroup(
  kind: 'favourites' | 'recent',
  label: string,
  ids: readonly string[],
  models: ReadonlyMap<string, ModelSummary>,
): ModelGroup | undefined {
  const children = ids.map((id): ModelLeaf => {
    const model = models.get(id);
    const leaf = { kind: 'model', id: `${kind}/model:${id}` } as const;
    return model ? { ...leaf, model } : { ...leaf, model: modelNamed(id), isUnlisted: true };
  });
  return children.length === 0 ? undefined : { kind, id: kind, label, children };
}

/** The number of models below these nodes. */
export function countModels(nodes: readonly ModelNode[]): number {
  return nodes.reduce((sum, node) => sum + (node.kind === 'model' ? 1 : countModels(node.children)), 0);
}

function providerNodes(provider: string, models: readonly ModelSummary[], locale: string): ModelNode[] {
  const byFamily = groupBy(models, (model) => model.family);
  if (provider === '') return [...byFamily].flatMap(([family, own]) => familyNodes(provider, family, own, locale));
  const [[only = '', own = []] = []] = byFamily;
  if (byFamily.size === 1 && only !== '') {
    const label = `${slugName(provider)} / ${slugName(only)}`;
    return [{ ...familyGroup(provider, only, own, locale), kind: 'provider', label }];
  }
  const children = [...byFamily].flatMap(([family, own]) =>
    own.length === 1 ? own.map(leafOf) : familyNodes(provider, family, own, locale),
  );
  const id = `provider:${provider}`;
  const label = slugName(provider);
  return [{ kind: 'provider', id, label, path: provider, children: inOrder(children, locale) }];
}

function familyNodes(provider: string, family: string, models: readonly ModelSummary[], locale: string): ModelNode[] {
  return family === '' ? models.map(leafOf) : [familyGroup(provider, family, models, locale)];
}

function familyGroup(provider: string, family: string, models: readonly ModelSummary[], locale: string): ModelGroup {
  const path = `${provider}/${family}`;
  const children = inOrder(models.map(leafOf), locale);
  return { kind: 'family', id: `family:${path}`, label: slugName(family), path, children };
}

function leafOf(model: ModelSummary): ModelLeaf {
  return { kind: 'model', id: `model:${model.id}`, model };
}

/**
 * The display name of a segment of an ID: `eight-bit-yard` → "Eight Bit Yard". Others stay as the service writes
 * them.
 */
export function slugName(segment: string): string {
  if (!/^[a-z\d]+(?:[-_][a-z\d]+)*$/.test(segment)) return segment;
  return segment.replaceAll(
    /(^|[-_])([a-z\d])/g,
    (_, before: string, first: string) => `${before && ' '}${first.toUpperCase()}`,
  );
}

function groupBy<T>(things: Iterable<T>, keyOf: (thing: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const group = groups.get(key);
    if (group) group.push(thing);
    else groups.set(key, [thing]);
  }
  return groups;
}

function inOrder(nodes: readonly ModelNode[], locale: string): ModelNode[] {
  const collator = new Intl.Collator(knownLocale(locale), { numeric: true });
  const keyed = nodes.map((node) => [node.kind === 'model' ? node.model.title : node.label, node] as const);
  return keyed.sort(([one], [other]) => collator.compare(one, other)).map(([, node]) => node);
}
