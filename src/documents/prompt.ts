import { isObject, type Json, type JsonObject } from '../base/json';
import type { Field } from '../catalog/fields';
import type { ImageLink } from './link';
import { withoutEnd } from './scan';

/** The characters that may end a sentence. */
const stop = /[.\s]/;

/** Placeholders for a description that nobody has written yet. */
const placeholder =
  /^(?:an? |the )?(?:alt(?:ernative)?(?: text)?|image|img|picture|pic|photo|figure|fig|todo|tbd|untitled|description|screenshots?)[.:!?…]*$/i;

/** A prompt from a link's description of its image, plus its title if that says more. Undefined if it says nothing. */
export function promptOfLink({ alt, title }: ImageLink): string | undefined {
  const words = meaning(alt?.text);
  const more = meaning(title?.text);
  if (words === undefined || more === undefined) return words ?? more;
  if (includes(words, more)) return words;
  if (includes(more, words)) return more;
  return `${withoutEnd(words, stop)}. ${more}`;
}

/** Longer texts don't work as alternative text, in UTF-16 code units. */
const longestAlt = 250;

/** A prompt as the alternative text of its image, on one line. Cuts long text after a word. */
export function altFrom(prompt: string): string {
  const line = prompt.replace(/\s+/g, ' ').trim();
  if (line.length <= longestAlt) return line;
  const cut = line.slice(0, longestAlt).replace(/[\ud800-\udbff]$/, '');
  // A longer word is text in a script without spaces, or no word at all.
  return `${cut.replace(/\s+\S{0,40}$/, '')}…`;
}

/** What nobody pays a model for: it has to be taken or drawn from the thing itself. */
const taken = new Set(
  'screenshot screen dialog window panel menu button terminal console editor recording logo badge icon avatar diagram chart graph plot table'.split(
    ' ',
  ),
);

/**
 * Whether a render of the image is worth offering unasked: not for a picture of a program or of figures, an animation
 * or a drawing made of lines, nor for one or two words. An image without words may be anything.
 */
export function isWorthRendering(link: ImageLink): boolean {
  const prompt = promptOfLink(link);
  if (/\.(?:gif|svg)$/i.test(link.path) || (prompt !== undefined && isShort(prompt))) return false;
  return !promptWordsOf(`${link.path} ${prompt ?? ''}`).some(
    (word) => taken.has(word) || taken.has(word.replace(/s$/, '')),
  );
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
/** Fewer words describe nothing. */
const fewestWords = 3;

function isShort(prompt: string): boolean {
  let words = 0;
  // Also in scripts that write words without spaces between them.
  for (const { isWordLike } of segmenter.segment(prompt.slice(0, longestAlt)))
    if (isWordLike === true && ++words >= fewestWords) return false;
  return true;
}

/** The words of a text in lower case, also those of names like `loginScreen` and `login_screen`. */
function promptWordsOf(text: string): string[] {
  return text
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}]+/u);
}

function meaning(text: string | undefined): string | undefined {
  const said = text?.replace(/\s+/g, ' ').trim() ?? '';
  // A file name says no more than the path.
  const isName = /^\S+\.(?:png|jpe?g|gif|webp|svg|avif)$/i.test(said);
  return !/[\p{L}\p{N}\p{So}]/u.test(said) || isName || placeholder.test(said) ? undefined : said;
}

function includes(text: string, part: string): boolean {
  return text.toLowerCase().includes(withoutEnd(part, stop).toLowerCase());
}

/** A size in pixels. */
export interface StatedSize {
  readonly width: number;
  readonly height: number;
}

/** The size that a link states; undefined unless it states both sides. */
export function shapeOf({ width, height }: Pick<ImageLink, 'width' | 'height'>): StatedSize | undefined {
  return width === undefined || height === undefined ? undefined : { width, height };
}

/**
 * The inputs that bring a model closest to a size: a choice of ratios or sizes, a width and height within their
 * bounds, or both in an object. Empty if the model has no such fields, so that its defaults apply.
 */
export function shapeInputs(fields: readonly Field[], size: StatedSize): JsonObject {
  return choiceInputs(fields, size) ?? sideInputs(fields, size) ?? objectInputs(fields, size) ?? {};
}

/** Ratios before sizes: if a model has both, its size sets the number of pixels for its default ratio. */
function choiceInputs(fields: readonly Field[], size: StatedSize): JsonObject | undefined {
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

function shapesOf({ name, choices = [], objects = [] }: Field): Shape[] {
  const isHd = choices.some(({ value }) => hd.test(String(value)));
  const named = choices.flatMap(({ value, label }) => {
    const shape = shapeIn(String(value), name, isHd) ?? shapeIn(label, name, isHd);
    return shape ? [{ value, ...shape }] : [];
  });
  return [...named, ...objects.flatMap((value) => shapeOfObject(value) ?? [])];
}

function shapeOfObject(value: JsonObject): Shape | undefined {
  const [width, height] = [value['width'], value['height']];
  const isSize = typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0;
  return isSize ? { value, ratio: Math.log(width / height), area: width * height } : undefined;
}

/** `16:9`, `1024x768`, `3 by 2`. */
const pair = /(?<![\d.])(\d+(?:\.\d+)?)\s*(?:[:/x×*]|by)\s*(\d+(?:\.\d+)?)(?![\d.])/i;
/** `landscape_16_9`, `ASPECT_16_10`, after the field's name. Without such a word, they may be a version's numbers. */
const joinedPair =
  /(?:aspect|ratio|size|shape|format|dimensions|orientation|square|landscape|wide|horizontal|portrait|tall|vertical)[\s_-]{1,3}(\d+)[_-](\d+)$/i;

const words: readonly (readonly [RegExp, number])[] = [
  [/^square(?![a-z])/i, 1],
  [/^(?:landscape|wide|horizontal)(?![a-z])/i, 3 / 2],
  [/^(?:portrait|tall|vertical)(?![a-z])/i, 2 / 3],
];
/** `square_hd` has twice the sides of a plain `square` next to it. */
const hd = /[\s_-]hd$/i;
const hdSide = 1024;

function shapeIn(text: string, field: string, isHd: boolean): Omit<Shape, 'value'> | undefined {
  const [, a, b] = pair.exec(text) ?? joinedPair.exec(`${field} ${text}`) ?? [];
  const [width, height] = [Number(a), Number(b)];
  const word = words.find(([pattern]) => pattern.test(text.trim()));
  if (width > 0 && height > 0) {
    const isSize = width >= 64 && height >= 64;
    // The word decides in which direction: `portrait_4_3` is 3:4.
    const isTurned = word !== undefined && (width > height ? word[1] < 1 : width < height && word[1] > 1);
    return { ratio: Math.log(width / height) * (isTurned ? -1 : 1), ...(isSize && { area: width * height }) };
  }
  if (!word) return undefined;
  const side = hd.test(text) ? hdSide : hdSide / 2;
  return { ratio: Math.log(word[1]), ...(isHd && word[1] === 1 && { area: side * side }) };
}

function offArea(area: number | undefined, { width, height }: StatedSize): number {
  return area === undefined ? 0 : Math.abs(Math.log(area / (width * height)));
}

function sideInputs(fields: readonly Field[], size: StatedSize): JsonObject | undefined {
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

/** For a model whose default is an object with both sides. */
function objectInputs(fields: readonly Field[], { width, height }: StatedSize): JsonObject | undefined {
  const field = fields.find((one) => one.kind === 'json' && isObject(one.default) && shapeOfObject(one.default));
  return field && inputsOf([[field.name, { ...(field.default as JsonObject), width, height }]]);
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
