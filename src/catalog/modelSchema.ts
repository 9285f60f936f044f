import { isObject } from '../base/json';
import type { Turns } from '../base/turns';
import { readFields } from './fieldSchema';
import { readListing } from './listing';
import { withReferences } from './references';
import { isUsableId, pick, pickObject, pickText, unreadable, type Shape } from './shape';
import type { Listing, Model, ModelKind, ModelSummary } from './types';

/** Reads the response of GET /models, or one page of it. A model may also be just its ID. */
export function readModels(json: unknown, turns: Turns, before = 0): Promise<Listing<ModelSummary>> {
  return readListing(json, ['models', 'catalog'], readRow, turns, before);
}

function readRow(row: unknown): ModelSummary | undefined {
  if (typeof row === 'string') return isUsableId(row) ? summaryOf(row, {}) : undefined;
  if (!isObject(row)) return undefined;
  const inner = pickObject(row, ['model', 'node', 'attributes']);
  const shape = inner ? { ...row, ...inner } : row;
  const id = idOf(shape);
  return id === undefined ? undefined : summaryOf(id, shape);
}

/** The model as far as its identifier describes it. */
export function modelNamed(id: string): ModelSummary {
  return summaryOf(id, {});
}

/** Reads the response of GET /models/detail for the requested model, whose ID it needn't repeat. */
export function readModel(json: unknown, id: string): Model {
  if (!isObject(json)) throw unreadable('it isn’t a model');
  // Fields may be next to the model they belong to.
  let shape: Shape = withReferences(json);
  for (const name of ['data', 'result', 'item', 'model', 'attributes'])
    shape = { ...shape, ...pickObject(shape, [name]) };
  const stated = idOf(shape);
  if (stated !== undefined && stated !== id && pickText(shape, ['id', 'modelId', 'model_id']) === stated) {
    throw unreadable('it’s another model than the requested one');
  }
  const fields = readFields(shape);
  if (!fields) throw unreadable('the model has no input fields');
  return { ...summaryOf(id, shape), fields };
}

function idOf(shape: Shape): string | undefined {
  const names = ['id', 'modelId', 'model_id', 'identifier', 'model', 'slug', 'key', 'name'];
  // Three segments make an identifier (specification: Model). A UUID next to it is the service's own.
  const whole = names.map((name) => pick(shape, [name])).find((value) => isUsableId(value) && isWhole(value));
  const stated = whole ?? pick(shape, names.slice(0, -2));
  if (isUsableId(stated)) return stated;
  const segments = [
    pickText(shape, ['provider', 'vendor', 'owner']),
    pickText(shape, ['family']),
    pickText(shape, ['model_name', 'modelName', 'name']),
  ];
  const composed = segments.every((segment) => segment !== undefined)
    ? segments.join('/')
    : pickText(shape, ['name', 'key']);
  return composed?.includes('/') && isUsableId(composed) ? composed : undefined;
}

function isWhole(id: string): boolean {
  return /^[^/\s]+\/[^/\s]+\/[^/\s]+$/.test(id);
}

/**
 * Provider, family, and name come from the segments of the ID; one with another number of segments is shown as well.
 */
function summaryOf(id: string, shape: Shape): ModelSummary {
  const [provider = '', ...rest] = id.split('/');
  const name = rest.pop();
  const own = pickText(shape, ['name']);
  return {
    id,
    provider: name === undefined ? '' : provider,
    family: rest.join('/'),
    name: name ?? id,
    title:
      pickText(shape, ['title', 'displayName', 'display_name', 'label']) ??
      (own !== id ? own : undefined) ??
      name ??
      id,
    description: pickText(shape, ['description', 'summary', 'tagline', 'about']),
    kind: kindOf(shape),
  };
}

/** Places where a service may say what a model makes, the most reliable first. */
const kindNames = [
  ...[
    'output',
    'outputs',
    'outputType',
    'output_type',
    'outputKind',
    'output_kind',
    'outputModality',
    'output_modalities',
  ],
  ...[
    'outputModalities',
    'produces',
    'task',
    'kind',
    'type',
    'category',
    'categories',
    'modality',
    'modalities',
    'media',
    'mediaType',
  ],
  ...['media_type', 'capability', 'capabilities', 'tags'],
];

function kindOf(shape: Shape): ModelKind | undefined {
  for (const name of kindNames) {
    const kind = kindIn(pick(shape, [name]), 2);
    if (kind) return kind;
  }
  return undefined;
}

function kindIn(value: unknown, depth: number): ModelKind | undefined {
  if (typeof value === 'string') return kindWord(value);
  if (depth === 0) return undefined;
  if (isObject(value)) return kindIn(pick(value, kindNames), depth - 1);
  if (!Array.isArray(value)) return undefined;
  const kinds = new Set(value.flatMap((inner: unknown) => kindIn(inner, depth - 1) ?? []));
  return kinds.has('image') ? 'image' : [...kinds][0];
}

/** "text-to-image" makes what comes after the "to". */
function kindWord(word: string): ModelKind | undefined {
  if (/caption/i.test(word)) return 'text';
  if (/^(t2i|i2i|(txt|img|text|image)2img)$/i.test(word)) return 'image';
  const made = word.toLowerCase().replace(/^.*?(?:\bto\b|(?<=[a-z])2(?=[a-z])|->|→|_to_)/, '');
  if (/video|audio|speech|voice|music|sound|3d|mesh|embedding/.test(made)) return 'other';
  if (/image|picture|photo|illustration|drawing|\bart\b/.test(made)) return 'image';
  if (/text|language|\bllm\b|chat|completion|writing/.test(made)) return 'text';
  return undefined;
}
