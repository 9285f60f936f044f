import { isObject, type Json, type JsonObject } from '../base/json';
import type { Span } from '../documents/scan';
import { objectIn, type Findings } from './properties';
import type { JsonNode, Property } from './tree';

/** One value of a variable. */
export interface MatrixValue {
  /** In file names. */
  readonly name: string;
  /** In inputs. */
  readonly value: Json;
}

/** A variable of `for`, with its values. */
export interface Variable {
  readonly name: string;
  readonly place: Span;
  readonly values: readonly MatrixValue[];
}

/** An entry's variables: each a list of values, or an object from names to their text in inputs. */
export function variablesIn(property: Property | undefined, found: Findings): readonly Variable[] {
  const byName = new Map((objectIn(property, found)?.properties ?? []).map((one) => [one.key.text, one]));
  return [...byName].map(([name, { key, value }]) => {
    const values = value && valuesIn(value);
    if (!values?.length) found.error(value ?? key, { code: 'wrongType', name, expected: 'values' });
    return { name, place: key, values: values ?? [] };
  });
}

function valuesIn(node: JsonNode): MatrixValue[] | undefined {
  if (node.kind === 'array') return allOf(node.items.map((item) => valueOf(item)));
  if (node.kind !== 'object') return undefined;
  return allOf(
    node.properties.map(({ key, value }) => {
      const known = value && valueOf(value);
      return known && { name: key.text, value: known.value };
    }),
  );
}

function valueOf(node: JsonNode): MatrixValue | undefined {
  if (node.kind !== 'scalar' || node.value === null) return undefined;
  return { name: String(node.value), value: node.value };
}

function allOf<T>(values: readonly (T | undefined)[]): T[] | undefined {
  const there = values.filter((value) => value !== undefined);
  return there.length === values.length ? there : undefined;
}

/** How many combinations these values have, however large the number. */
export function combinationCount(variables: readonly { readonly values: readonly unknown[] }[]): number {
  return variables.reduce((product, { values }) => product * values.length, 1);
}

/** One value for each variable. */
export type MatrixChoice = ReadonlyMap<string, MatrixValue>;

/** Every combination of values, with the last variable changing first. Only for counts that were checked. */
export function* choicesOf(variables: readonly Pick<Variable, 'name' | 'values'>[]): Generator<MatrixChoice> {
  const total = combinationCount(variables);
  for (let number = 0; number < total; number++) {
    let rest = number;
    const chosen = variables.toReversed().flatMap(({ name, values }) => {
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length);
      return value ? [[name, value] as const] : [];
    });
    yield new Map(chosen.reverse());
  }
}

const placeholder = /\{([^{}]{1,100})\}/g;

/** The names in braces in a text. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name);
}

/** A value as part of a text. */
export function wordsOfValue({ value }: MatrixValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A file name with its variables replaced. */
export function filledName(template: string, choice: MatrixChoice): string {
  return template.replace(placeholder, (whole, name: string) => choice.get(name)?.name ?? whole);
}

/**
 * Inputs with the variables in their texts replaced. A text of just one variable becomes its value, so a number stays a
 * number.
 */
export function filledInputs(inputs: JsonObject, choice: MatrixChoice): JsonObject {
  return choice.size === 0 ? inputs : (filled(inputs, choice) as JsonObject);
}

function filled(value: Json, choice: MatrixChoice): Json {
  if (typeof value === 'string') return filledText(value, choice);
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => filled(item, choice));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner, choice)]));
}

function filledText(text: string, choice: MatrixChoice): Json {
  const [, only] = /^\{([^{}]{1,100})\}$/.exec(text) ?? [];
  const alone = only === undefined ? undefined : choice.get(only);
  if (alone) return alone.value;
  return text.replace(placeholder, (whole, name: string) => {
    const value = choice.get(name);
    return value ? wordsOfValue(value) : whole;
  });
}
