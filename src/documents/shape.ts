import type { Json, JsonObject } from '../base/json';
import type { Field } from '../catalog/types';
import type { ImageLink } from './imageLink';

/** A size in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The size that a link states; undefined unless it states both sides. */
export function shapeOf({ width, height }: Pick<ImageLink, 'width' | 'height'>): Size | undefined {
  return width === undefined || height === undefined ? undefined : { width, height };
}

/**
 * The inputs that bring a model closest to a size: a choice of ratios or sizes, or a width and height within their
 * bounds. Empty if the model has no such fields, so that its defaults apply.
 */
export function shapeInputs(fields: readonly Field[], size: Size): JsonObject {
  return choiceInputs(fields, size) ?? sideInputs(fields, size) ?? {};
}

/** Ratios before sizes: if a model has both, its size sets the number of pixels for its default ratio. */
function choiceInputs(fields: readonly Field[], size: Size): JsonObject | undefined {
  const shaped = fields.map((field) => ({ field, shapes: shapesOf(field) })).filter(({ shapes }) => shapes.length > 1);
  const chosen = shaped.find(({ shapes }) => shapes.some(({ area }) => area === undefined)) ?? shaped[0];
  if (!chosen) return undefined;
  const wanted = Math.log(size.width / size.height);
  const [best] = chosen.shapes
    .map((shape) => ({ ...shape, off: Math.abs(shape.ratio - wanted), more: offArea(shape.area, size) }))
    .sort((a, b) => (Math.abs(a.off - b.off) > 1e-9 ? a.off - b.off : a.more - b.more));
  return best && inputsOf([[chosen.field.name, best.value]]);
}

interface Shape {
  readonly value: Json;
  /** The logarithm of width over height, so that twice as wide is as far off as half as wide. */
  readonly ratio: number;
  /** In square pixels, for a choice that states a size. */
  readonly area?: number;
}

function shapesOf({ choices = [] }: Field): Shape[] {
  return choices.flatMap(({ value, label }) => {
    const shape = shapeIn(String(value)) ?? shapeIn(label);
    return shape ? [{ value, ...shape }] : [];
  });
}

const words: readonly (readonly [RegExp, number])[] = [
  [/^square\b/i, 1],
  [/^(?:landscape|wide|horizontal)\b/i, 3 / 2],
  [/^(?:portrait|tall|vertical)\b/i, 2 / 3],
];

function shapeIn(text: string): Omit<Shape, 'value'> | undefined {
  const [, a, b] = /(?<![\d.])(\d+(?:\.\d+)?)\s*(?:[:/x×*]|by)\s*(\d+(?:\.\d+)?)(?![\d.])/i.exec(text) ?? [];
  const width = Number(a);
  const height = Number(b);
  if (width > 0 && height > 0) {
    const isSize = width >= 64 && height >= 64;
    return { ratio: Math.log(width / height), ...(isSize && { area: width * height }) };
  }
  const word = words.find(([pattern]) => pattern.test(text.trim()));
  return word && { ratio: Math.log(word[1]) };
}

function offArea(area: number | undefined, { width, height }: Size): number {
  return area === undefined ? 0 : Math.abs(Math.log(area / (width * height)));
}

function sideInputs(fields: readonly Field[], size: Size): JsonObject | undefined {
  const width = sideField(fields, /^(?:(?:image|output|target)[_-]?)?(?:width|w)$/i);
  const height = sideField(fields, /^(?:(?:image|output|target)[_-]?)?(?:height|h)$/i);
  if (!width || !height) return undefined;
  // As large as stated if the model can, else as close as both bounds allow.
  const least = Math.max(lowest(width) / size.width, lowest(height) / size.height);
  const most = Math.min(highest(width) / size.width, highest(height) / size.height);
  const scale = Math.min(Math.max(1, least), most);
  return inputsOf([
    [width.name, nearest(width, size.width * scale)],
    [height.name, nearest(height, size.height * scale)],
  ]);
}

function sideField(fields: readonly Field[], name: RegExp): Field | undefined {
  return fields.find((field) => (field.kind === 'integer' || field.kind === 'number') && name.test(field.name));
}

function lowest({ minimum = 1 }: Field): number {
  return Math.max(1, minimum);
}

function highest({ maximum = Infinity }: Field): number {
  return maximum;
}

/** The closest value that a field accepts. Steps count from its minimum. */
function nearest(field: Field, wanted: number): number {
  const step = field.step !== undefined && field.step > 0 ? field.step : field.kind === 'integer' ? 1 : 0;
  const from = field.minimum ?? 0;
  const low = lowest(field);
  const high = highest(field);
  if (step === 0) return Math.min(Math.max(wanted, low), high);
  const steps = Math.round((wanted - from) / step);
  const first = Math.ceil((low - from) / step);
  const last = Math.floor((high - from) / step);
  return from + Math.min(Math.max(steps, first), Math.max(first, last)) * step;
}

/** Defines properties, so that a field named `__proto__` is plain data. */
function inputsOf(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries);
}
