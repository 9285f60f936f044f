import { knownLocale } from '../../../base/format';
import { isLimit, ServiceError } from '../../../catalog/errors';
import { modelNamed } from '../../../catalog/modelSchema';
import type { SessionState } from '../../../catalog/session';
import type { ModelKind, ModelSummary } from '../../../catalog/fields';
import { isAway } from './modelList';

/** A node of the Models view; `id` is stable across refreshes, and unique even when a model appears twice. */
export type ModelNode = ModelGroup | ModelLeaf;

export interface ModelGroup {
  readonly kind: 'favourites' | 'recent' | ModelPart | 'provider' | 'family';
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

/** What a model makes, or that it's only for testing. */
export type ModelPart = (typeof parts)[number];
const parts = ['image', 'text', 'other', 'testing'] as const;

/**
 * The models by what they make, those for testing last, each in the given order: a list that is short enough to read.
 * A list of one part has no level for it; an id listed twice appears once.
 */
export function groupByPart(models: readonly ModelSummary[], labels: Readonly<Record<ModelPart, string>>): ModelNode[] {
  const once = new Map(models.map((model) => [model.id, model]));
  const byPart = groupBy(once.values(), ({ isForTesting, kind }) => (isForTesting ? 'testing' : (kind ?? 'other')));
  if (byPart.size === 1) return [...once.values()].map(leafOf);
  return parts.flatMap((part) => {
    const own = byPart.get(part);
    return own ? [{ kind: part, id: `part:${part}`, label: labels[part], children: own.map(leafOf) }] : [];
  });
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

function groupBy<T, Key extends string>(things: Iterable<T>, keyOf: (thing: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
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

/** Why the Models view has no list: the manifest has a welcome text for each. */
export const unlisted = ['empty', 'noKey', 'offline', 'limited', 'keyRefused', 'unusable', 'failed'] as const;

/** What the Models view shows. */
export type ModelsContent = 'loading' | 'listed' | (typeof unlisted)[number];

/** What's shown instead of a list that couldn't be read. */
export function contentAfter(error: unknown): ModelsContent {
  if (!(error instanceof ServiceError)) return 'failed';
  if (error.kind === 'keyRefused') return 'keyRefused';
  if (isLimit(error)) return 'limited';
  return isAway(error) ? 'offline' : 'failed';
}

/** True when the reason for a missing or an earlier list may be gone. */
export function isWorthReading(content: ModelsContent, kept: boolean, { status, quietUntil }: SessionState): boolean {
  const isAbsent = kept || content === 'offline' || content === 'limited' || content === 'keyRefused';
  return isAbsent && status === 'connected' && quietUntil === undefined;
}

/** One icon for each kind of model. */
export const icons: Readonly<Record<ModelKind, string>> = { image: 'file-media', text: 'note', other: 'package' };

/** Ids of the models that a user uses most. */
export interface AtHand {
  readonly favourites: readonly string[];
  readonly recent: readonly string[];
}

/** A model that was found, and its rank: favorites first, then recent ones, then all others. */
export interface ModelMatch {
  readonly model: ModelSummary;
  readonly among: Among;
  /** A favorite or recent model that isn't in the service's list. */
  readonly isUnlisted: boolean;
}

/** What was found, and whether its ID must be shown: to tell it from a namesake, or to show why it's found. */
export interface FoundModel extends ModelMatch {
  readonly needsId: boolean;
}

export type Among = 'favourites' | 'recent' | 'others';

interface SearchEntry extends ModelMatch {
  /** Lowercase, computed once: thousands are searched with each key press. */
  readonly title: string;
  readonly text: string;
  /** The same without its ID. */
  readonly shown: string;
}

/**
 * How well a model matches: its title starts with the query, each word starts one of its words, or each word occurs in
 * it.
 */
type MatchRank = 0 | 1 | 2;

/** The matches to show, and how many more there are. */
export interface FoundModels {
  readonly found: readonly FoundModel[];
  readonly more: number;
}

/** Finds models by words of their title, id, and description, and of what they make. */
export class ModelSearch {
  private readonly entries: readonly SearchEntry[];
  private readonly shared: ReadonlySet<string>;

  /** `kindWords` says what a model makes, for a search in the user's language. */
  constructor(
    models: readonly ModelSummary[],
    { favourites, recent }: AtHand,
    kindWords: (kind: ModelKind | undefined) => string = (kind = 'other') => kind,
  ) {
    const byId = new Map(models.map((model) => [model.id, model]));
    const atHand = new Map<string, Among>([
      ...recent.map((id) => [id, 'recent'] as const),
      ...favourites.map((id) => [id, 'favourites'] as const),
    ]);
    const first = [...new Set([...favourites, ...recent])].map((id) => byId.get(id) ?? modelNamed(id));
    const others = [...byId.values()]
      .filter(({ id }) => !atHand.has(id))
      .sort((one, other) => Number(one.isForTesting ?? false) - Number(other.isForTesting ?? false));
    const all = [...first, ...others];
    this.shared = sharedTitles(all);
    this.entries = all.map((model) =>
      entryOf(
        { model, among: atHand.get(model.id) ?? 'others', isUnlisted: !byId.has(model.id) },
        kindWords(model.kind),
      ),
    );
  }

  /**
   * The models that match every word of the query, at most `limit`: favorites and recent ones first, then the best
   * match, then the given order.
   */
  find(query: string, limit: number): FoundModels {
    const whole = query.toLowerCase().trim();
    const words = whole.split(/\s+/).filter(Boolean);
    const atHand: SearchEntry[] = [];
    const fits: [SearchEntry[], SearchEntry[], SearchEntry[]] = [[], [], []];
    let all = 0;
    for (const entry of this.entries) {
      const fit = fitOf(entry, whole, words);
      if (fit === undefined) continue;
      all++;
      const list = entry.among === 'others' ? fits[fit] : atHand;
      if (list.length < limit) list.push(entry);
    }
    const found = [...atHand, ...fits.flat()].slice(0, limit).map(({ model, among, isUnlisted, shown }) => ({
      ...{ model, among, isUnlisted },
      needsId: this.shared.has(model.title) || words.some((word) => !shown.includes(word)),
    }));
    return { found, more: all - found.length };
  }
}

/** The titles that several of these models have: a person needs their IDs to tell them apart. */
export function sharedTitles(models: readonly ModelSummary[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const { title } of models) (seen.has(title) ? shared : seen).add(title);
  return shared;
}

function entryOf(found: ModelMatch, kind: string): SearchEntry {
  const { id, title, description = '' } = found.model;
  const shown = `${title} ${description} ${kind}`.toLowerCase();
  return { ...found, title: title.toLowerCase(), text: `${id.toLowerCase()} ${shown}`, shown };
}

function fitOf({ title, text }: SearchEntry, whole: string, words: readonly string[]): MatchRank | undefined {
  if (!words.every((word) => text.includes(word))) return undefined;
  if (title.startsWith(whole)) return 0;
  return words.every((word) => beginsAWord(word, text)) ? 1 : 2;
}

function beginsAWord(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return true;
  }
  return false;
}

/**
 * The model whose identifier was typed, in the specification's form (`<provider>/<family>/<model_name>`): a service may
 * know more models than it lists. Undefined when it isn't an identifier, or is listed.
 */
export function typedModel(typed: string, listed: readonly ModelSummary[]): ModelSummary | undefined {
  const id = typed.trim();
  if (!/^[^\s/]+\/[^\s/]+\/[^\s/]+$/.test(id) || listed.some((model) => model.id === id)) return undefined;
  return modelNamed(id);
}
