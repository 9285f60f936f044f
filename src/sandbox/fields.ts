import { isObject } from '../base/json';
import { imageFault } from './givenImage';
import { ProblemDetails, say, type Sentence } from './problem';

/** The value of an input. */
export type Value = string | number | boolean | readonly string[];

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
  /** What could be written. */
  readonly examples?: readonly string[];
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

interface ChoicesField extends Common {
  readonly type: 'multiple_choice';
  readonly default: readonly string[];
  readonly values: readonly string[];
}

/** A color as `#rrggbb`. */
interface ColorField extends Common {
  readonly type: 'color';
  readonly default: string;
}

interface ImagesField extends Common, Omit<ImageField, 'type'> {
  readonly type: 'images';
  readonly minItems: number;
  readonly maxItems: number;
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
export type Field =
  TextField | ChoiceField | ChoicesField | ColorField | NumberField | BooleanField | ImageField | ImagesField;

/**
 * The inputs, with the defaults of omitted optional fields (specification: Endpoints, rule 1). Throws a 400 that names
 * every invalid and every unknown field.
 */
export function complete(fields: readonly Field[], given: unknown): Inputs {
  if (!isObject(given)) throw ProblemDetails.invalid([{ field: 'inputs', message: say('must be an object.') }]);
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
  if (problems.length > 0) throw ProblemDetails.invalid(problems);
  return values;
}

function fault(field: Field, value: unknown): Sentence | undefined {
  if (value === undefined) return say('is required.');
  switch (field.type) {
    case 'text':
    case 'long_text':
      return textFault(field, value);
    case 'enumeration':
      return amongFault(field.values, value);
    case 'multiple_choice':
      return listFault(value) ?? (value as unknown[]).map((one) => amongFault(field.values, one)).find(Boolean);
    case 'color':
      return typeof value === 'string' && /^#[\da-f]{6}$/i.test(value)
        ? undefined
        : say('must be a color like #f4efe6.');
    case 'image':
      return imageFault(field, value);
    case 'images':
      return listFault(value) ?? imagesFault(field, value as readonly unknown[]);
    case 'boolean':
      return typeof value === 'boolean' ? undefined : say('must be true or false.');
    default:
      return numberFault(field, value);
  }
}

function textFault(field: TextField, value: unknown): Sentence | undefined {
  if (typeof value !== 'string') return say('must be text.');
  if (field.required && value.trim() === '') return say('can’t be empty.');
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

function listFault(value: unknown): Sentence | undefined {
  return Array.isArray(value) ? undefined : say('must be a list.');
}

function imagesFault(field: ImagesField, list: readonly unknown[]): Sentence | undefined {
  if (list.length < field.minItems || list.length > field.maxItems)
    return say('must have from {0} to {1} images.', field.minItems, field.maxItems);
  return list.map((one) => imageFault(field, one)).find((fault) => fault !== undefined);
}

/** Names the values as they are sent. */
function amongFault(values: readonly string[], value: unknown): Sentence | undefined {
  if (values.some((allowed) => allowed === value)) return undefined;
  const shown = values.slice(0, 12).join(', ');
  const more = values.length - 12;
  return more > 0 ? say('must be one of {0} and {1} more.', shown, more) : say('must be one of {0}.', shown);
}

interface TextFacts {
  readonly help?: string;
  readonly examples?: readonly string[];
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

/** As `image`, for one that may be left out. */
export function optionalImage(name: string, label: string, help: string): Field {
  return { ...image(name, label, help), required: false };
}

/** As `image`, for up to `maxItems` of them. */
export function images(name: string, label: string, help: string, maxItems: number): Field {
  return { ...(image(name, label, help) as ImageField), type: 'images', minItems: 1, maxItems };
}

export function choices(name: string, label: string, values: readonly string[], standard: readonly string[]): Field {
  return { name, label, type: 'multiple_choice', required: false, default: standard, values };
}

export function color(name: string, label: string, standard: string): Field {
  return { name, label, type: 'color', required: false, default: standard };
}

export function seed(help = 'The same seed with the same inputs gives the same image.'): Field {
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
