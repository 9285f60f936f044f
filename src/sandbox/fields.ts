import { isObject } from '../base/json';
import { type BlockOptions, usualBlocks } from './art/blocks';
import { imageFault } from './givenImage';
import { Problem, say, type Sentence } from './problem';

/** The value of an input. */
export type Value = string | number | boolean;

/** Checked inputs, with all defaults filled in. */
export type Inputs = Readonly<Record<string, Value>>;

interface Common {
  /** The key inside `inputs`. */
  readonly name: string;
  readonly label: string;
  readonly help?: string;
  readonly required: boolean;
}

interface TextField extends Common {
  readonly type: 'text' | 'long_text';
  readonly default?: string;
  /** In UTF-16 code units. */
  readonly maxLength: number;
}

interface ChoiceField extends Common {
  readonly type: 'enumeration';
  readonly default?: string;
  readonly values: readonly string[];
}

interface NumberField extends Common {
  readonly type: 'integer' | 'number' | 'seed';
  readonly default?: number;
  readonly minimum: number;
  readonly maximum: number;
  /** Values are `minimum` plus a whole number of steps. */
  readonly step: number;
}

interface BooleanField extends Common {
  readonly type: 'boolean';
  readonly default: boolean;
}

export interface ImageField extends Common {
  readonly type: 'image';
  readonly default?: undefined;
  /** Media types. */
  readonly accept: readonly string[];
  readonly maxBytes: number;
  /** Pixels. */
  readonly maxWidth: number;
  readonly maxHeight: number;
}

/** An input field of a model, as `GET /models/detail` returns it (specification: Model). */
export type Field = TextField | ChoiceField | NumberField | BooleanField | ImageField;

/**
 * The inputs, with the defaults of omitted optional fields (specification: Endpoints, rule 1). Throws a 400 that names
 * every invalid and every unknown field.
 */
export function complete(fields: readonly Field[], given: unknown): Inputs {
  if (!isObject(given)) throw Problem.invalid([{ field: 'inputs', message: say('must be an object.') }]);
  const sent = new Map(Object.entries(given));
  const problems = [...sent.keys()]
    .filter((name) => !fields.some((field) => field.name === name))
    .map((name) => ({ field: name, message: say('isn’t a field of this model.') }));
  const values: Record<string, Value> = {};
  for (const field of fields) {
    const value = sent.has(field.name) ? sent.get(field.name) : field.default;
    const message = sent.has(field.name) || field.required ? fault(field, value) : undefined;
    if (message !== undefined) problems.push({ field: field.name, message });
    else if (value !== undefined) values[field.name] = value as Value;
  }
  if (problems.length > 0) throw Problem.invalid(problems);
  return values;
}

function fault(field: Field, value: unknown): Sentence | undefined {
  if (value === undefined) return say('is required.');
  switch (field.type) {
    case 'text':
    case 'long_text':
      return textFault(field, value);
    case 'enumeration':
      return field.values.some((allowed) => allowed === value) ? undefined : notAmong(field.values);
    case 'image':
      return imageFault(field, value);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : say('must be true or false.');
    default:
      return numberFault(field, value);
  }
}

function textFault(field: TextField, value: unknown): Sentence | undefined {
  if (typeof value !== 'string') return say('must be text.');
  if (field.required && value.trim() === '') return say('must not be empty.');
  return value.length > field.maxLength ? say('must have at most {0} characters.', field.maxLength) : undefined;
}

function numberFault(field: NumberField, value: unknown): Sentence | undefined {
  const whole = field.type !== 'number';
  if (typeof value !== 'number') return whole ? say('must be a whole number.') : say('must be a number.');
  if (whole && !Number.isSafeInteger(value)) return say('must be a whole number.');
  if (value < field.minimum || value > field.maximum)
    return say('must be from {0} to {1}.', field.minimum, field.maximum);
  const steps = (value - field.minimum) / field.step;
  // Steps such as 0.05 have no exact binary form.
  return Math.abs(steps - Math.round(steps)) > 1e-6
    ? say('must be a multiple of {0} from {1}.', field.step, field.minimum)
    : undefined;
}

/** Names the values as they are sent. */
function notAmong(values: readonly string[]): Sentence {
  const shown = values.slice(0, 12).join(', ');
  const more = values.length - 12;
  return more > 0 ? say('must be one of {0} and {1} more.', shown, more) : say('must be one of {0}.', shown);
}

type NumberOption = {
  [Name in keyof BlockOptions]: BlockOptions[Name] extends number ? Name : never;
}[keyof BlockOptions];
type Row = readonly [option: NumberOption, label: string, minimum: number, maximum: number, step: number];

const rows: readonly Row[] = [
  ['islands', 'Islands (0: as many as fit)', 0, 3, 1],
  ['grid', 'Blocks along a side', 8, 30, 1],
  ['margin', 'Margin', 0, 0.3, 0.01],
  ['relief', 'Relief', 0.2, 2, 0.05],
  ['roughness', 'Roughness', 0, 1, 0.05],
  ['peaks', 'Summits', 1, 5, 1],
  ['terraces', 'Terraces', 4, 28, 1],
  ['water', 'Water level', 0, 1, 0.05],
  ['waves', 'Waves', 0, 1, 0.05],
  ['beach', 'Beach', 0, 3, 0.25],
  ['snowLine', 'Snow line', 0, 1, 0.02],
  ['trees', 'Trees', 0, 1, 0.05],
  ['treeHeight', 'Height of trees', 0.4, 2, 0.1],
  ['autumnTrees', 'Autumn trees', 0, 1, 0.05],
  ['buildings', 'Buildings', 0, 1, 0.05],
  ['buildingHeight', 'Height of buildings', 0.3, 2, 0.1],
  ['litWindows', 'Lit windows', 0, 1, 0.05],
  ['flowers', 'Flowers', 0, 1, 0.05],
  ['boulders', 'Boulders', 0, 0.3, 0.01],
  ['thickness', 'Thickness of the ground', 1, 12, 1],
  ['clouds', 'Clouds', 0, 10, 1],
  ['stars', 'Stars', 0, 300, 10],
  ['discSize', 'Size of sun or moon', 0.4, 2, 0.1],
  ['contrast', 'Contrast of the faces', 0, 1, 0.05],
  ['warmth', 'Warmth of the light', -1, 1, 0.1],
  ['haze', 'Haze', 0, 1, 0.05],
  ['shadowStrength', 'Strength of the shadow', 0, 1, 0.05],
  ['seamStrength', 'Strength of the seams', 0, 1, 0.05],
  ['grain', 'Grain', 0, 1, 0.05],
];

const switches = [
  ['ragged', 'Ragged underside'],
  ['disc', 'Sun or moon'],
  ['shadow', 'Shadow below'],
  ['seams', 'Seams between blocks'],
] as const;

/** A field for each option of a block landscape. */
export const blockFields: readonly Field[] = [
  ...rows.map(([option, label, minimum, maximum, step]) => {
    const kind = Number.isInteger(step) ? integer : number;
    return kind(snake(option), label, { minimum, maximum, step, default: usualBlocks[option] });
  }),
  ...switches.map(([option, label]) => boolean(snake(option), label, usualBlocks[option])),
  choice('light_from', 'Light comes from', ['left', 'right'], usualBlocks.lightFrom),
];

/** The options from the inputs, with defaults for fields that the model doesn't have. */
export function blockOptions(inputs: Inputs): BlockOptions {
  const asked = Object.keys(usualBlocks).map((option) => [option, inputs[snake(option)]] as const);
  return {
    ...usualBlocks,
    ...(Object.fromEntries(asked.filter(([, value]) => value !== undefined)) as Partial<BlockOptions>),
  };
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

interface TextFacts {
  readonly help?: string;
  readonly required?: boolean;
  readonly default?: string;
  readonly maxLength?: number;
}

interface NumberFacts {
  readonly help?: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
  readonly step?: number;
}

export function text(
  name: string,
  label: string,
  { required = false, maxLength = 1000, ...facts }: TextFacts = {},
): Field {
  return { name, label, type: 'text', required, maxLength, ...facts };
}

export function longText(
  name: string,
  label: string,
  { required = false, maxLength = 20_000, ...facts }: TextFacts = {},
): Field {
  return { name, label, type: 'long_text', required, maxLength, ...facts };
}

export function choice(name: string, label: string, values: readonly string[], standard: string, help?: string): Field {
  return { name, label, type: 'enumeration', required: false, default: standard, values, help };
}

export function integer(name: string, label: string, { step = 1, ...facts }: NumberFacts): Field {
  return { name, label, type: 'integer', required: false, step, ...facts };
}

export function number(name: string, label: string, { step = 0.01, ...facts }: NumberFacts): Field {
  return { name, label, type: 'number', required: false, step, ...facts };
}

export function boolean(name: string, label: string, standard: boolean, help?: string): Field {
  return { name, label, type: 'boolean', required: false, default: standard, help };
}

/** For a PNG, which the sandbox reads without a library of its own for each format. */
export function image(name: string, label: string, help: string): Field {
  const limits = { accept: ['image/png'], maxBytes: 4_000_000, maxWidth: 4096, maxHeight: 4096 };
  return { name, label, type: 'image', required: true, help, ...limits };
}

export function seed(): Field {
  const help = 'The same seed with the same inputs gives the same image.';
  return {
    name: 'seed',
    label: 'Seed',
    type: 'seed',
    required: false,
    default: 0,
    minimum: 0,
    maximum: 4294967295,
    step: 1,
    help,
  };
}
