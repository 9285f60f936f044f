import type { JsonObject } from '../base/json';
import {
  checkField,
  checkInputs,
  type Choice,
  type Field,
  type FieldIssue,
  type FieldValue,
  initialValues,
  inputsOf,
  type Model,
  promptField,
  promptOf,
  valuesFrom,
} from './fields';

/** Another way to render the same thing. */
export interface Alternative {
  readonly model: Model;
  readonly inputs: JsonObject;
  /** The one value that differs, for the same model. */
  readonly change?: { readonly field: Field; readonly choice: Choice };
  /** Fields set to something other than their default that the other model doesn't take in that form. */
  readonly left: readonly Field[];
}

/**
 * The same model with another value in one of its choices, those with few choices first, since they are likelier to
 * affect the price.
 */
export function alternativesOf(model: Model, inputs: JsonObject): Alternative[] {
  const choosable = model.fields.filter(({ kind, choices = [] }) => kind === 'choice' && choices.length > 1);
  return choosable
    .sort((a, b) => (a.choices?.length ?? 0) - (b.choices?.length ?? 0))
    .flatMap((field) => othersOf(field, inputs).map((choice) => withChoice(model, inputs, field, choice)));
}

function othersOf(field: Field, inputs: JsonObject): readonly Choice[] {
  const value = Object.hasOwn(inputs, field.name) ? inputs[field.name] : field.default;
  return (field.choices ?? []).filter((choice) => choice.value !== value);
}

function withChoice(model: Model, inputs: JsonObject, field: Field, choice: Choice): Alternative {
  // fromEntries defines properties and calls no setter, so `__proto__` stays a name.
  const others = Object.entries(inputs).filter(([name]) => name !== field.name);
  return {
    model,
    inputs: Object.fromEntries([...others, [field.name, choice.value]]),
    change: { field, choice },
    left: [],
  };
}

/** Why another model can't render the same: the first of its fields that isn't valid with the inputs carried over. */
export interface Blocker {
  readonly model: Model;
  readonly field: Field;
  readonly issue: FieldIssue;
}

/**
 * The same for another model: the prompt, and the inputs that both models take. Undefined when the other model can't
 * render with those.
 */
export function transferredInputs(from: Model, to: Model, inputs: JsonObject): Alternative | undefined {
  const carried = transferInputs(from, to, inputs);
  return carried && 'inputs' in carried ? carried : undefined;
}

/**
 * As `transferredInputs`, or why not. Undefined only if there's no prompt to transfer, or if the other model takes
 * none.
 */
export function transferInputs(from: Model, to: Model, inputs: JsonObject): Alternative | Blocker | undefined {
  const own = promptField(from.fields);
  const prompt = promptField(to.fields);
  const text = promptOf(from, inputs);
  if (!own || !prompt || text === '') return undefined;
  const taken = new Map<string, FieldValue>([[prompt.name, text]]);
  const set = from.fields.filter((field) => field !== own && Object.hasOwn(inputs, field.name));
  for (const field of set) {
    const value = valueIn(to, field, inputs);
    if (value !== undefined && !taken.has(field.name)) taken.set(field.name, value);
  }
  const values = initialValues(to.fields).map(([name, value]) => [name, taken.get(name) ?? value] as const);
  const [wrong] = checkInputs(to.fields, values);
  const field = wrong && to.fields.find(({ name }) => name === wrong[0]);
  if (field) return { model: to, field, issue: wrong[1] };
  const left = set.filter((one) => !taken.has(one.name) && !isDefault(one, inputs));
  return { model: to, inputs: inputsOf(to.fields, values), left };
}

function isDefault({ name, default: usual }: Field, inputs: JsonObject): boolean {
  return JSON.stringify(inputs[name]) === JSON.stringify(usual);
}

/** The value for the field of the same name and kind, if that field accepts it. */
function valueIn(to: Model, { name, kind }: Field, inputs: JsonObject): FieldValue | undefined {
  const field = to.fields.find((other) => other.name === name && other.kind === kind);
  const [[, value] = []] = field ? valuesFrom([field], inputs) : [];
  return field && value !== undefined && value !== '' && !checkField(field, value) ? value : undefined;
}
