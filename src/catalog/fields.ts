/**
 * **Field**: one input of a model, and everything that is done with it: the value of its control, what is wrong with
 * that, what it becomes in the inputs that are sent, and back from inputs to values.
 *
 * `fieldSchema.ts` recognizes a field in what the service states. Which text is the prompt, and whether a name is a
 * seed's, is guessed here, once for all. The form and Quick Render read values here; render files and agents state
 * inputs as they're sent, which `renderFiles/modelCheck.ts` and `checkSentInput` check. Pages use it too: nothing here
 * needs the editor or Node.
 */

import type { Chance } from '../base/clock';
import { type GivenImage, isGivenImage, itemsOf } from '../base/givenImage';
import { isObject, type Json, type JsonObject } from '../base/json';
import { oneLine } from '../base/plain';

/**
 * The control a field gets. `choices` takes several options at once. `color` is a text that the service states to be
 * a color. `image` takes one image or a list of them, as `ImageLimits` says. `json` is the fallback for an unknown
 * type: a text, with JSON as an option.
 */
export type FieldKind =
  'text' | 'longText' | 'color' | 'choice' | 'choices' | 'integer' | 'number' | 'boolean' | 'seed' | 'image' | 'json';

/** What a field for images accepts; what it doesn't state has our defaults. */
export interface ImageLimits {
  /** A list is sent, even of one: `minimum` and `maximum` of the field are how many. */
  readonly isList?: true;
  /** Media types, at least one. */
  readonly types: readonly string[];
  /** Of each image's bytes. */
  readonly maxBytes: number;
  /** The field takes bare base64 instead of a data address. */
  readonly base64?: boolean;
  /** The field takes a mask for another image, where this color marks what changes. */
  readonly mask?: MaskColor | 'unstated';
  /** Pixels, as displayed. */
  readonly minWidth?: number;
  readonly minHeight?: number;
  readonly maxWidth?: number;
  readonly maxHeight?: number;
}

/** What the pixels of a mask have where the image changes. */
export type MaskColor = 'white' | 'black' | 'transparent';

export interface Choice {
  readonly value: string | number | boolean;
  readonly label: string;
}

/** One input of a model (specification: Resources, Model). */
export interface Field {
  /** The key inside `inputs`; may be any string, `__proto__` too. */
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly kind: FieldKind;
  /** The type in the service's own words. */
  readonly statedType: string;
  readonly required: boolean;
  /** The value the service uses when the field is left out. */
  readonly default?: Json;
  readonly choices?: readonly Choice[];
  /** For kind `json`: the values to choose from, if they're objects. */
  readonly objects?: readonly JsonObject[];
  /** Of a number or, for kind `choices` and a list of images, how many there are. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly step?: number;
  readonly maxLength?: number;
  /** For a text: what the service suggests to write, as in a JSON Schema. */
  readonly examples?: readonly string[];
  /** For kind `image`. */
  readonly image?: ImageLimits;
}

export type ModelKind = 'image' | 'text' | 'other';

export interface ModelSummary {
  /** `<provider>/<family>/<model_name>`. */
  readonly id: string;
  readonly provider: string;
  readonly family: string;
  /** The last segment of the id. */
  readonly name: string;
  /** The service's own title, else the name. */
  readonly title: string;
  readonly description?: string;
  /** What it makes; undefined if neither the service nor its results have shown it. Never guessed from the ID. */
  readonly kind?: ModelKind;
  /** The service states that it's there for trying things out. */
  readonly isForTesting?: boolean;
}

export interface Model extends ModelSummary {
  readonly fields: readonly Field[];
}

/** A list as the service gave it. */
export interface Listing<T> {
  readonly items: readonly T[];
  /** The service says that the list is incomplete. */
  readonly incomplete: boolean;
  /** Rows that couldn't be read. */
  readonly unreadable: number;
}

const finalStatuses = ['succeeded', 'failed', 'refunded'] as const;

/**
 * True for a status at which polling stops (specification: States and transitions). Any other is shown as it is, and
 * polling continues.
 */
export function isFinal(status: string | undefined): status is (typeof finalStatuses)[number] {
  return finalStatuses.some((final) => final === status);
}

/** A render at the service (specification: Resources, Generation). */
export interface Generation {
  readonly id: string;
  readonly status: string;
  /** The charge, in euro cents; undefined when not stated. */
  readonly costCents?: number;
  /** Shown, never fetched. */
  readonly contentUrl?: string;
  readonly textOutput?: string;
  /** What a list has of its text, perhaps shortened: to look at, never the result. */
  readonly excerpt?: string;
  readonly modelId?: string;
  readonly inputs?: JsonObject;
  /** Milliseconds since 1970. */
  readonly createdAt?: number;
  /** Why it failed, in the service's own words. */
  readonly reason?: string;
}

/** Key and balance (specification: GET /me). */
export interface Account {
  readonly balanceCents: number;
}

/** A price for exact inputs; undefined if the response states no readable one, never 0 for that. */
export interface Quote {
  readonly costCents: number | undefined;
}

/** True if the model makes this, as far as is known: a model of unknown kind counts as one that does. */
export function mayMake({ kind }: Pick<ModelSummary, 'kind'>, wanted: ModelKind): boolean {
  return kind === undefined || kind === wanted;
}

/**
 * The value of a control. Numbers may be text as typed, and URLs of images are text, with white space between several.
 * `''` omits the field, so that the model's default applies. `{json}` is text to be read as JSON. `{images}` has an
 * image whose bytes are kept elsewhere: see `imageItems`.
 */
export type FieldValue =
  string | number | boolean | { readonly json: string } | { readonly images: readonly ImageItem[] };

/** An image: given, or by its URL. */
export type ImageItem = GivenImage | string;

/** Values by field, as entries, so that a field called `__proto__` is ordinary data. */
export type FieldValues = readonly (readonly [name: string, value: FieldValue])[];

/** Why a value can't be sent, with the details for the message. */
export type FieldIssue =
  | {
      readonly code: 'required' | 'notANumber' | 'notAnInteger' | 'notYesOrNo' | 'invalidJson' | 'tooManyDigits';
    }
  /** The path of a file in a field that isn't known to take any: it would be sent as a word, and charged. */
  | { readonly code: 'isPath'; readonly path: string }
  | ImageIssue
  | { readonly code: 'notAChoice'; readonly values: readonly string[] }
  | { readonly code: 'tooFew'; readonly minimum: number }
  | { readonly code: 'tooMany'; readonly maximum: number }
  | { readonly code: 'tooSmall'; readonly minimum: number }
  | { readonly code: 'tooLarge'; readonly maximum: number }
  | { readonly code: 'notAStep'; readonly step: number }
  | { readonly code: 'tooLong'; readonly length: number; readonly maxLength: number };

/** The size at which an image is displayed, pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Why a field can't take a value as its images. */
export type ImageIssue =
  | { readonly code: 'notAnImage' }
  /** Of a list, by their numbers from 1. */
  | { readonly code: 'sameImage'; readonly number: number; readonly first: number }
  | { readonly code: 'imageTooLarge'; readonly bytes: number; readonly maxBytes: number }
  /** Pixels of the side that is over or under its limit. */
  | {
      readonly code: 'imageTooWide' | 'imageTooHigh' | 'imageTooNarrow' | 'imageTooLow';
      readonly pixels: number;
      readonly limit: number;
    }
  /** Megapixels. */
  | { readonly code: 'imageTooFine'; readonly pixels: number; readonly limit: number }
  | { readonly code: 'imageDamaged' | 'imageAnimated' | 'imageTurned' | 'imageCmyk' }
  /** Media types: the image's, and those that the field takes. */
  | { readonly code: 'imageType'; readonly type: string; readonly types: readonly string[] };

/**
 * The values in the controls of a fresh form. A choice, several, or a yes/no starts with its default, and so does a
 * required field that has one. Anything else is omitted, with its default as a hint.
 */
export function initialValues(fields: readonly Field[]): FieldValues {
  return fields.map((field) => {
    // A default seed would give the same result each time, so a seed is drawn instead.
    if (field.kind === 'seed') return [field.name, ''];
    const stands = field.required || ['choice', 'choices', 'boolean'].includes(field.kind);
    return [field.name, stands && field.default !== undefined ? valueFrom(field, field.default) : ''];
  });
}

/**
 * The values of the controls for inputs sent before; missing fields are omitted, inputs the model no longer has are
 * dropped.
 */
export function valuesFrom(fields: readonly Field[], inputs: JsonObject): FieldValues {
  return fields.map((field) => {
    const input = Object.hasOwn(inputs, field.name) ? inputs[field.name] : undefined;
    return [field.name, input === undefined ? '' : valueFrom(field, input)];
  });
}

/**
 * Values kept for a model that may have changed since: fields it no longer has are dropped, new ones get their first
 * value.
 */
export function fittedValues(fields: readonly Field[], values: FieldValues): FieldValues {
  const known = new Map(values);
  return initialValues(fields).map(([name, initial]) => [name, known.get(name) ?? initial]);
}

/** The problem with a value that is none of the field's choices. */
export function notAChoice({ choices = [] }: Field): FieldIssue {
  return { code: 'notAChoice', values: choices.map(({ value }) => oneLine(String(value), 40)) };
}

/** The problem with the value of one field, if any. */
export function checkField(field: Field, value: FieldValue): FieldIssue | undefined {
  if (isLeftOut(field, value)) return field.required && field.kind !== 'seed' ? { code: 'required' } : undefined;
  if (field.kind === 'choices') return checkChosen(field, value);
  if (field.kind === 'image') return checkImages(field, imageItems(value));
  if (typeof value === 'object') return 'json' in value ? checkJson(field, value.json) : { code: 'notAnImage' };
  switch (field.kind) {
    case 'choice':
      return choiceOf(field, value) ? undefined : notAChoice(field);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : { code: 'notYesOrNo' };
    case 'integer':
    case 'seed':
    case 'number':
      return checkNumber(field, numberOf(value));
    case 'json':
      return checkText(field, String(value)) ?? checkPaths(field, value);
    default:
      return checkText(field, String(value));
  }
}

/** Every field whose value can't be sent, in the order of the fields. */
export function checkInputs(
  fields: readonly Field[],
  values: FieldValues,
): readonly (readonly [name: string, issue: FieldIssue])[] {
  const byName = new Map(values);
  return fields.flatMap((field) => {
    const issue = checkField(field, byName.get(field.name) ?? '');
    return issue ? [[field.name, issue] as const] : [];
  });
}

/**
 * The problem with an input that is sent as it is: a path would reach the service as a word, and be charged. What else
 * is wrong with inputs, the service says when it's asked for the price.
 */
export function checkSentInput(field: Field, input: Json | undefined): FieldIssue | undefined {
  if (input === undefined || input === null || input === '') return undefined;
  if (field.kind === 'json' || field.kind === 'choices') return checkPaths(field, input);
  if (field.kind !== 'image') return undefined;
  const isImage = (item: Json) => isGivenImage(item) || (typeof item === 'string' && isImageText(field, item));
  const isOne = field.image?.isList || !Array.isArray(input);
  return isOne && itemsOf(input).every(isImage) ? undefined : { code: 'notAnImage' };
}

/** The first path in a value, unless the service states it itself. Also in JSON that was entered as a text. */
function checkPaths({ default: standard = null, ...field }: Field, input: Json): FieldIssue | undefined {
  const { choices = [], objects = [] } = field;
  const stated = new Set(textsIn([standard, objects, choices.map(({ value }) => value)]));
  const path = textsIn(input).find((text) => looksLikePath(text) && !stated.has(text));
  return path === undefined ? undefined : { code: 'isPath', path };
}

/** Every text in a value. A loop, since the value can be nested as deeply as its author liked. */
function textsIn(value: Json): readonly string[] {
  const texts: string[] = [];
  const queue = [value];
  // The queue grows while it's read.
  for (const next of queue) {
    const inner = typeof next === 'string' && /^\s*[[{]/.test(next) ? (parsed(next) ?? next) : next;
    if (typeof inner === 'string') texts.push(inner);
    else if (typeof inner === 'object' && inner !== null) for (const part of Object.values(inner)) queue.push(part);
  }
  return texts;
}

/** Longer texts aren't taken for paths. */
const longestPath = 1000;

const mediaEnding =
  /\.(png|jpe?g|jfif|webp|gif|avif|heic|heif|bmp|tiff?|svg|ico|psd|mp[34]|m4[av]|wav|flac|ogg|mov|webm|pdf)$/i;

/**
 * True for `./a`, `~/a`, `C:\a`, `\\server\a`, `file:///a`, `a.png`, and `my images/a.png`; not for words such as
 * "black/white", nor for an address.
 */
function looksLikePath(text: string): boolean {
  const path = text.trim();
  if (path.length > longestPath || path.includes('\n')) return false;
  if (/^(file:|[a-z]:[\\/]|\\\\|(\.\.?|~)[\\/])/i.test(path)) return true;
  const isWord = /^[a-z][a-z\d+.-]+:/i.test(path) || (/\s/.test(path) && !/[\\/]/.test(path));
  return !isWord && mediaEnding.test(path);
}

/**
 * The `inputs` of a request. Omitted fields stay out, so that the model's default applies. Requires values that pass
 * `checkInputs`.
 */
export function inputsOf(fields: readonly Field[], values: FieldValues): JsonObject {
  const byName = new Map(values);
  // fromEntries defines properties and calls no setter, so `__proto__` stays a name.
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = byName.get(field.name) ?? '';
      return isLeftOut(field, value) ? [] : [[field.name, inputOf(field, value)]];
    }),
  );
}

/**
 * The text a user would call the prompt: `prompt` itself, else the first text among the model's fields or, if those
 * aren't known, among the inputs. Empty if there is none.
 */
export function promptOf(
  model: (ModelSummary & { readonly fields?: readonly Field[] }) | undefined,
  inputs: JsonObject,
): string {
  const names = ['prompt', ...(model?.fields ? textsOf(model.fields).map(({ name }) => name) : Object.keys(inputs))];
  for (const name of names) {
    const input = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (typeof input === 'string' && input.trim() !== '') return input;
  }
  return '';
}

/** The field that `promptOf` reads first; undefined if the model takes no text. */
export function promptField(fields: readonly Field[]): Field | undefined {
  const texts = textsOf(fields);
  return texts.find(({ name }) => name === 'prompt') ?? texts[0];
}

/** Long texts first: a model may have a title before the prompt. */
function textsOf(fields: readonly Field[]): Field[] {
  const texts = fields.filter(({ kind }) => kind === 'longText' || kind === 'text');
  return texts.sort((a, b) => Number(b.kind === 'longText') - Number(a.kind === 'longText'));
}

/** True for the usual names of a seed: `seed`, `noise_seed`, `randomSeed`. */
export function isSeedName(name: string): boolean {
  return /(^|_)seed$/i.test(name) || /[a-z\d]Seed$/.test(name);
}

/** `init_image`, `imageUrl`, `reference_image_2`; not `image_callback_url`. */
export function isImageName(name: string): boolean {
  return /\b(image|picture|photo|mask)( ur[il]| input)?( ?\d+)?$/.test(wordOf(name));
}

/** `longText`, `long_text` and `Long-text` are one word: "long text". */
export function wordOf(text: string | undefined): string {
  return (text ?? '')
    .trim()
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase();
}

/** For a service that states no bounds. */
const leastSeed = 0;

const mostSeed = 2 ** 31 - 1;

type SeedLimits = Pick<Field, 'minimum' | 'maximum'>;

/** A seed that the field accepts. */
export function drawSeed(limits: SeedLimits, unit: number): number {
  const [low, high] = seedRange(limits);
  return low + Math.floor(unit * (high - low + 1));
}

/** How many seeds the field accepts. */
function seedCount(limits: SeedLimits): number {
  const [low, high] = seedRange(limits);
  return Math.max(0, high - low + 1);
}

/** A seed that the field accepts and that isn't taken; undefined if there is none. */
function drawOtherSeed(limits: SeedLimits, taken: readonly number[], unit: number): number | undefined {
  const [low, high] = seedRange(limits);
  const passed = [...new Set(taken)].filter((seed) => seed >= low && seed <= high).sort((one, other) => one - other);
  if (passed.length >= seedCount(limits)) return undefined;
  // Drawn from as many numbers as are left, then moved past those that are taken.
  return passed.reduce(
    (drawn, seed) => (seed <= drawn ? drawn + 1 : drawn),
    drawSeed({ minimum: low, maximum: high - passed.length }, unit),
  );
}

/** The least and the largest seed that the field accepts: of 64 bits, only those that a number holds exactly. */
function seedRange({ minimum = leastSeed, maximum = mostSeed }: SeedLimits): readonly [low: number, high: number] {
  return [
    Math.max(Math.ceil(minimum), Number.MIN_SAFE_INTEGER),
    Math.min(Math.floor(maximum), Number.MAX_SAFE_INTEGER),
  ];
}

function valueFrom(field: Field, input: Json): FieldValue {
  switch (field.kind) {
    case 'choice':
      return isScalar(input) ? (choiceOf(field, input)?.value ?? '') : '';
    case 'boolean':
      return typeof input === 'boolean' ? input : '';
    case 'choices': {
      const known = (Array.isArray(input) ? (input as Json[]) : [input]).filter(isScalar);
      return chosenValue(field, new Set(known.flatMap((one) => choiceOf(field, one)?.value ?? [])));
    }
    case 'image':
      return valueFromImages(field, input);
    case 'json':
      return typeof input === 'string' ? input : { json: JSON.stringify(input, undefined, 2) };
    case 'integer':
    case 'seed':
    case 'number':
      return isScalar(input) && numberOf(input) !== undefined ? String(input) : '';
    default:
      return isScalar(input) ? String(input) : '';
  }
}

function inputOf(field: Field, value: FieldValue): Json {
  if (field.kind === 'image') {
    const items = imageItems(value).map((item) => (typeof item === 'string' ? item : imageFor(field, item)));
    return field.image?.isList ? items : (items[0] ?? null);
  }
  if (typeof value === 'object') return 'json' in value ? (parsed(value.json) ?? null) : null;
  switch (field.kind) {
    case 'choice':
      return choiceOf(field, value)?.value ?? value;
    case 'integer':
    case 'seed':
    case 'number':
      return numberOf(value) ?? value;
    case 'color':
      return typeof value === 'string' ? value.trim() : value;
    default:
      return value;
  }
}

/** White space is ordinary text, except in a required field: nobody means to pay for a blank prompt. */
function isLeftOut(field: Field, value: FieldValue): boolean {
  if (typeof value === 'object') return 'json' in value ? value.json.trim() === '' : value.images.length === 0;
  if (typeof value !== 'string') return false;
  if (field.kind === 'choice') return value === '' && !choiceOf(field, value);
  const isText = field.kind === 'text' || field.kind === 'longText' || field.kind === 'json';
  return isText && !field.required ? value === '' : value.trim() === '';
}

/** Browsers give the value of a selected option as text, whatever it was. */
function choiceOf(field: Field, value: string | number | boolean): Choice | undefined {
  const choices = field.choices ?? [];
  return (
    choices.find((choice) => choice.value === value) ?? choices.find((choice) => String(choice.value) === String(value))
  );
}

/** What is chosen in a field of kind `choices`; undefined if the value isn't a list of options. */
function chosenOf(value: FieldValue): readonly Json[] | undefined {
  const list = typeof value === 'object' && 'json' in value ? parsed(value.json) : undefined;
  return Array.isArray(list) ? list : undefined;
}

/** True if the option is among those chosen in a field of kind `choices`. */
export function isAmongChosen(value: FieldValue, choice: Choice): boolean {
  return chosenOf(value)?.includes(choice.value) === true;
}

/** The value of a field of kind `choices`, in the order of its options; none is sent only in place of a default. */
export function chosenValue(field: Field, chosen: ReadonlySet<Choice['value']>): FieldValue {
  const values = (field.choices ?? []).map(({ value }) => value).filter((value) => chosen.has(value));
  return values.length === 0 && field.default === undefined ? '' : { json: JSON.stringify(values) };
}

function checkChosen(field: Field, value: FieldValue): FieldIssue | undefined {
  const chosen = chosenOf(value);
  const { choices = [], minimum, maximum } = field;
  if (!chosen?.every((one) => choices.some((choice) => choice.value === one))) return notAChoice(field);
  if (chosen.length === 0 && field.required) return { code: 'required' };
  if (minimum !== undefined && chosen.length < minimum) return { code: 'tooFew', minimum };
  return maximum !== undefined && chosen.length > maximum ? { code: 'tooMany', maximum } : undefined;
}

function checkJson(field: Field, text: string): FieldIssue | undefined {
  const value = parsed(text);
  if (value === undefined) return { code: 'invalidJson' };
  const tokens = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g) ?? [];
  return tokens.every(isExact) ? checkPaths(field, value) : { code: 'tooManyDigits' };
}

/** False for a number of JSON that would be sent as another one: a fraction is rounded by everyone. */
function isExact(token: string): boolean {
  if (token.startsWith('"')) return true;
  const number = Number(token);
  return Number.isFinite(number) && (!/^-?\d+$/.test(token) || BigInt(token) === BigInt(number));
}

function checkNumber(field: Field, value: number | undefined): FieldIssue | undefined {
  const { kind, minimum, maximum, step } = field;
  if (value === undefined) return { code: 'notANumber' };
  if (kind !== 'number' && !Number.isSafeInteger(value)) return { code: 'notAnInteger' };
  if (minimum !== undefined && value < minimum) return { code: 'tooSmall', minimum };
  if (maximum !== undefined && value > maximum) return { code: 'tooLarge', maximum };
  // Services count steps from the minimum or from zero, and don't say which. Only a value that fits neither is
  // certainly wrong.
  if (step !== undefined && !isMultiple(value - (minimum ?? 0), step) && !isMultiple(value, step))
    return { code: 'notAStep', step };
  return undefined;
}

function checkText({ maxLength }: Field, value: string): FieldIssue | undefined {
  if (maxLength === undefined || value.length <= maxLength) return undefined;
  // Counted in code points, the most generous of the usual ways, since the service decides.
  const { length } = Array.from(value);
  return length > maxLength ? { code: 'tooLong', length, maxLength } : undefined;
}

/** The image in the form in which the field takes it, whichever field it was given for. */
export function imageFor(field: Field, { file, sha256, type, bytes }: GivenImage): GivenImage {
  return { file, sha256, type, bytes, ...(field.image?.base64 && { encoding: 'base64' }) };
}

/** The field with the image that a mask is for; undefined if there is none. */
export function maskedField(fields: readonly Field[], mask: Field): Field | undefined {
  const images = imageFields(fields);
  // `mask_2` is for `image_2`.
  const sameName = images.find(({ name }) => name === mask.name.replace(/mask/i, 'image'));
  return sameName ?? images.find(({ image }) => !image?.isList) ?? images[0];
}

/** The fields for images, but for masks: no other image can be one. */
function imageFields(fields: readonly Field[]): readonly Field[] {
  return fields.filter(({ kind, image }) => kind === 'image' && !image?.mask);
}

/** The fields that accept an image. If none does, all fields for images: each has a reason to show. */
export function imagePlaces(fields: readonly Field[], image: GivenImage): readonly Field[] {
  const forImages = imageFields(fields);
  const accepting = forImages.filter((field) => checkImage(field, image) === undefined);
  return accepting.length > 0 ? accepting : forImages;
}

/** The problem with an image for a field, if any. */
export function checkImage(
  { image: limits }: Field,
  { type, bytes, facts }: Pick<GivenImage, 'type' | 'bytes'> & { readonly facts?: ImageFacts },
): ImageIssue | undefined {
  if (!limits) return { code: 'notAnImage' };
  const { types, maxBytes } = limits;
  if (!types.includes(type)) return { code: 'imageType', type, types };
  if (bytes > maxBytes) return { code: 'imageTooLarge', bytes, maxBytes };
  return facts && factsIssue(limits, facts);
}

/** For a field that doesn't bound both sides: an image of a few kilobytes can have more pixels than a memory holds. */
export const usualPixels = 40e6;

/** What the bytes of an image say. */
export interface ImageFacts {
  /** Undefined if it can't be told. */
  readonly size: ImageSize | undefined;
  readonly isDamaged: boolean;
  /** It's stored turned or mirrored, and displayed upright by its metadata. */
  readonly isTurned: boolean;
  /** Its colors are those of a print. */
  readonly isCmyk: boolean;
  /** It has several frames, in a format that is for still images elsewhere. */
  readonly isAnimated: boolean;
}

/** Why an image is fit for no field, whatever that accepts. */
export function unfitIssue({ isDamaged, isAnimated, isTurned, isCmyk }: ImageFacts): ImageIssue | undefined {
  if (isDamaged) return { code: 'imageDamaged' };
  if (isAnimated) return { code: 'imageAnimated' };
  if (isTurned) return { code: 'imageTurned' };
  return isCmyk ? { code: 'imageCmyk' } : undefined;
}

function factsIssue(limits: ImageLimits, facts: ImageFacts): ImageIssue | undefined {
  const { minWidth, minHeight, maxWidth, maxHeight } = limits;
  const unfit = unfitIssue(facts);
  if (unfit ?? !facts.size) return unfit;
  const { width, height } = facts.size;
  const isBounded = maxWidth !== undefined && maxHeight !== undefined;
  if (!isBounded && width * height > usualPixels) {
    const millions = (pixels: number) => Math.round(pixels / 1e6);
    return { code: 'imageTooFine', pixels: millions(width * height), limit: millions(usualPixels) };
  }
  if (width > (maxWidth ?? Infinity)) return { code: 'imageTooWide', pixels: width, limit: maxWidth ?? width };
  if (height > (maxHeight ?? Infinity)) return { code: 'imageTooHigh', pixels: height, limit: maxHeight ?? height };
  if (width < (minWidth ?? 0)) return { code: 'imageTooNarrow', pixels: width, limit: minWidth ?? width };
  if (height < (minHeight ?? 0)) return { code: 'imageTooLow', pixels: height, limit: minHeight ?? height };
  return undefined;
}

/** How many images a field takes at most. */
export function mostImages({ image, maximum = Infinity }: Field): number {
  return image?.isList ? maximum : 1;
}

/** The images in the value of a field for images, in their order. */
export function imageItems(value: FieldValue): readonly ImageItem[] {
  if (typeof value === 'object') return 'json' in value ? [value.json] : value.images;
  return String(value)
    .split(/\s+/)
    .filter((url) => url !== '');
}

/** The value of a field for these images. */
export function valueOfImages(items: readonly ImageItem[]): FieldValue {
  const isText = items.every((item) => typeof item === 'string');
  return isText ? items.join('\n') : { images: items };
}

/** A list of more images isn't shown as such, though no maximum is stated: a file's metadata may state any number. */
const mostShownImages = 200;

/** Images as they were sent. What isn't any stays as it is where a list can show it, to be seen and refused. */
function valueFromImages(field: Field, input: Json): FieldValue {
  const items = input === null ? [] : itemsOf(input);
  const isRead = (item: Json) => isGivenImage(item) || (typeof item === 'string' && !/\s/.test(item));
  if (items.length <= Math.min(mostImages(field), mostShownImages) && items.every(isRead))
    return valueOfImages(items as readonly ImageItem[]);
  if (typeof input === 'string') return input;
  return field.image?.isList ? { json: JSON.stringify(input, undefined, 2) } : '';
}

function checkImages(field: Field, items: readonly ImageItem[]): FieldIssue | undefined {
  const { minimum, maximum } = field.image?.isList ? field : { minimum: 1, maximum: 1 };
  const known = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const issue = typeof item === 'string' ? (isAddress(item) ? undefined : notAnImage) : checkImage(field, item);
    if (issue) return issue;
    const key = typeof item === 'string' ? item : item.sha256;
    const first = known.get(key);
    if (first !== undefined) return { code: 'sameImage', number: index + 1, first };
    known.set(key, index + 1);
  }
  if (minimum !== undefined && items.length < minimum) return { code: 'tooFew', minimum };
  return maximum !== undefined && items.length > maximum ? { code: 'tooMany', maximum } : undefined;
}

const notAnImage: ImageIssue = { code: 'notAnImage' };

/** True for a text that the field takes as an image: its URL, or the bytes themselves. */
export function isImageText({ image }: Field, text: string): boolean {
  return isAddress(text) || (image?.base64 === true && isBase64(text));
}

/** Bytes as base64, and of more than a word that could be a path. */
function isBase64(text: string): boolean {
  return text.length >= 64 && /^[a-z\d+/]+={0,2}$/i.test(text);
}

/** An address that a service could read: of the web, or the image itself. */
function isAddress(text: string): boolean {
  return /^(https?:\/\/[^\s/]|data:image\/)/i.test(text.trim());
}

/** Within the error of binary fractions: 0.3 is three steps of 0.1. */
function isMultiple(value: number, step: number): boolean {
  const steps = value / step;
  return Math.abs(steps - Math.round(steps)) < 1e-9 * Math.max(1, Math.abs(steps));
}

function numberOf(value: string | number | boolean): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  // Number() alone would also read '', '0x10' and true.
  if (typeof value !== 'string' || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value.trim())) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Not JSON.
    return undefined;
  }
}

function isScalar(value: Json): value is string | number | boolean {
  return value !== null && !Array.isArray(value) && !isObject(value);
}

/**
 * Seeds that a user leaves open. They're drawn here, not by the service, so that each render differs and its seed is
 * priced and recorded with it.
 */
export class Seeds {
  private readonly drawn = new Map<string, number>();

  constructor(private readonly random: Chance) {}

  /** The inputs with a number for each omitted seed: the same one until `renew`. */
  fill(modelId: string, fields: readonly Field[], inputs: JsonObject): JsonObject {
    const open = fields.filter(({ kind, name }) => kind === 'seed' && !Object.hasOwn(inputs, name));
    if (open.length === 0) return inputs;
    const seeds = open.map((field) => [field.name, this.seedOf(modelId, field)] as const);
    return Object.fromEntries([...Object.entries(inputs), ...seeds]);
  }

  /** Makes the next numbers different ones. */
  renew(): void {
    this.drawn.clear();
  }

  private seedOf(modelId: string, field: Field): number {
    const id = JSON.stringify([modelId, field.name]);
    const seed = this.drawn.get(id) ?? drawSeed(field, this.random.unit());
    this.drawn.set(id, seed);
    return seed;
  }
}

/**
 * The inputs with a number for each of their seeds that neither they nor the others have; undefined if there is none
 * that could differ.
 */
export function otherSeeds(
  fields: readonly Field[],
  inputs: JsonObject,
  random: Chance,
  others: readonly JsonObject[] = [],
): JsonObject | undefined {
  const drawn = fields.flatMap((field): [string, number][] => {
    if (field.kind !== 'seed' || seedIn(field, inputs) === undefined) return [];
    const taken = [inputs, ...others].flatMap((one) => seedIn(field, one) ?? []);
    const other = drawOtherSeed(field, taken, random.unit());
    return other === undefined ? [] : [[field.name, other]];
  });
  return drawn.length === 0 ? undefined : Object.fromEntries([...Object.entries(inputs), ...drawn]);
}

/** The inputs, and the same with other seeds, no two alike: `count` of them, or as many as the fields accept. */
export function seedVariants(
  fields: readonly Field[],
  inputs: JsonObject,
  count: number,
  random: Chance,
): readonly JsonObject[] {
  const variants = [inputs];
  while (variants.length < count) {
    const next = otherSeeds(fields, inputs, random, variants);
    if (!next) break;
    variants.push(next);
  }
  return variants;
}

/** How many variants the fields accept; 1 without a seed. */
export function mostVariants(fields: readonly Field[]): number {
  return Math.max(1, ...fields.filter(({ kind }) => kind === 'seed').map(seedCount));
}

function seedIn({ name }: Field, inputs: JsonObject): number | undefined {
  const seed = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  return typeof seed === 'number' ? seed : undefined;
}

/** What is wrong with the value of a field, in English, with placeholders `{0}`, `{1}`. */
export const englishIssueStrings = {
  issueRequired: 'Enter a value.',
  issueNotANumber: 'Enter a number.',
  issueNotAnInteger: 'Enter a whole number.',
  issueTooFew: 'Choose {0} or more.',
  issueTooMany: 'Choose {0} or fewer.',
  issueTooSmall: 'Enter {0} or more.',
  issueTooLarge: 'Enter {0} or less.',
  issueNotAStep: 'Use steps of {0}.',
  issueNotYesOrNo: 'Choose yes or no.',
  issueNotAChoice: 'Choose one of the options.',
  issueNotOneOf: 'Choose one of: {0}',
  issueTooLong: '{0} of {1} characters. Shorten the text.',
  issueInvalidJson: 'Enter valid JSON.',
  issueTooManyDigits: 'A number has too many digits to be sent exactly. Enter a smaller one.',
  issueNotAnImage: 'Choose an image, or enter a URL that starts with https://.',
  issueSameImage: 'Image {0} is the same as image {1}. Remove one of them.',
  issueIsPath: 'Enter a URL that starts with https:// instead of the path “{0}”. This input takes no files.',
  issueImageTooLarge: '{0} is over the {1} limit. Choose a smaller image.',
  issueImageTooWide: 'This image is {0} pixels wide. Use one of at most {1}.',
  issueImageTooHigh: 'This image is {0} pixels high. Use one of at most {1}.',
  issueImageTooNarrow: 'This image is {0} pixels wide. Use one of at least {1}.',
  issueImageTooLow: 'This image is {0} pixels high. Use one of at least {1}.',
  issueImageTooFine: 'This image has {0} megapixels. Use one of at most {1}.',
  issueImageDamaged: 'This image is damaged. Use another file.',
  issueImageAnimated: 'This image is animated. Use a still image.',
  issueImageTurned:
    'This photo is stored turned or mirrored, and services may see it that way. Save it upright in an image editor.',
  issueImageCmyk: 'This image has colors for print (CMYK). Save it in RGB in an image editor.',
  issueImageType: '{0} isn’t supported here. Use {1}.',
};

/** More options than these aren't named. */
const mostNamedChoices = 5;

/** How sizes and choices are said in a language. */
export interface IssueWords {
  readonly size: (bytes: number) => string;
  /** The file formats of media types: "PNG, JPEG, or WebP". */
  readonly formats: (types: readonly string[]) => string;
}

/** The text for an invalid value, and the parts in it. */
export function issueText(
  issue: FieldIssue,
  words: IssueWords,
): readonly [key: keyof typeof englishIssueStrings, ...parts: (string | number)[]] {
  switch (issue.code) {
    case 'required':
      return ['issueRequired'];
    case 'notANumber':
      return ['issueNotANumber'];
    case 'notAnInteger':
      return ['issueNotAnInteger'];
    case 'notAChoice':
      return issue.values.length > mostNamedChoices ? ['issueNotAChoice'] : ['issueNotOneOf', issue.values.join(', ')];
    case 'notYesOrNo':
      return ['issueNotYesOrNo'];
    case 'invalidJson':
      return ['issueInvalidJson'];
    case 'tooManyDigits':
      return ['issueTooManyDigits'];
    case 'tooFew':
      return ['issueTooFew', issue.minimum];
    case 'tooMany':
      return ['issueTooMany', issue.maximum];
    case 'tooSmall':
      return ['issueTooSmall', issue.minimum];
    case 'tooLarge':
      return ['issueTooLarge', issue.maximum];
    case 'notAStep':
      return ['issueNotAStep', issue.step];
    case 'notAnImage':
      return ['issueNotAnImage'];
    case 'sameImage':
      return ['issueSameImage', issue.number, issue.first];
    case 'isPath':
      return ['issueIsPath', oneLine(issue.path, 80)];
    case 'imageTooLarge':
      return ['issueImageTooLarge', words.size(issue.bytes), words.size(issue.maxBytes)];
    case 'imageTooWide':
      return ['issueImageTooWide', issue.pixels, issue.limit];
    case 'imageTooHigh':
      return ['issueImageTooHigh', issue.pixels, issue.limit];
    case 'imageTooNarrow':
      return ['issueImageTooNarrow', issue.pixels, issue.limit];
    case 'imageTooLow':
      return ['issueImageTooLow', issue.pixels, issue.limit];
    case 'imageTooFine':
      return ['issueImageTooFine', issue.pixels, issue.limit];
    case 'imageDamaged':
      return ['issueImageDamaged'];
    case 'imageTurned':
      return ['issueImageTurned'];
    case 'imageCmyk':
      return ['issueImageCmyk'];
    case 'imageAnimated':
      return ['issueImageAnimated'];
    case 'imageType':
      return ['issueImageType', words.formats([issue.type]), words.formats(issue.types)];
    case 'tooLong':
      return ['issueTooLong', issue.length, issue.maxLength];
  }
}

/** The display name of a field that has only its own: `aspect_ratio` → "Aspect ratio". */
export function fieldLabel(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_\-\s]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Words around a prompt. */
export interface Around {
  readonly before: string;
  readonly after: string;
}

/** A style, applied to a model: words around its prompt, and values of its other fields by name. */
export interface Styling<Value> extends Around {
  readonly fixed: ReadonlyMap<string, Value>;
}

/** The input that a style puts its words around. */
export const styledInput = 'prompt';

/** A prompt with a style’s words around it. */
export function styled({ before, after }: Around, prompt: string): string {
  return joined([before, prompt, after]);
}

/** The prompt that has a style’s words around it, without these; undefined if it hasn’t, or the style has none. */
export function unstyled(around: Around, prompt: string): string | undefined {
  const [before, after, all] = [around.before.trim(), around.after.trim(), prompt.trim()];
  if (before + after === '' || !all.startsWith(before) || !all.endsWith(after)) return undefined;
  const own = all.slice(before.length, Math.max(before.length, all.length - after.length)).trim();
  return own !== '' && spaced(styled(around, own)) === spaced(all) ? own : undefined;
}

/** What is sent for a field: the style’s value, or its words around a prompt that isn’t empty, or the user’s own. */
export function sentValue<Value>(style: Styling<Value> | undefined, name: string, own: Value): Value | string {
  const fixed = style?.fixed.get(name);
  if (fixed !== undefined) return fixed;
  const isStyled = style && name === styledInput && typeof own === 'string' && own.trim() !== '';
  return isStyled ? styled(style, own) : own;
}

/** Adds a space where two would touch. Checks only the parts, since the result can be very long. */
export function joined(parts: readonly string[]): string {
  const words = parts.filter((part) => part !== '');
  return words.reduce((all, part, index) => {
    const touches = index > 0 && !/\s/.test((words[index - 1] ?? '').slice(-1)) && !/\s/.test(part.charAt(0));
    return touches ? `${all} ${part}` : all + part;
  }, '');
}

function spaced(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
