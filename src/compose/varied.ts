import type { JsonObject } from '../base/json';
import { checkField, type FieldValues } from '../catalog/fields';
import type { Field } from '../catalog/types';
import { mostCompared } from './mostCompared';
import { isVariable, mostVaried } from './varying';
import { choicesOf, countOf } from '../renderFiles/matrix';

/** An input that is rendered with several values. */
export interface Varied {
  readonly field: string;
  readonly values: readonly (string | number | boolean)[];
}

/**
 * What these fields take of it: values of choices, each once, two or more of each input. Nothing if that's more than
 * one comparison shows.
 */
export function variedFor(fields: readonly Field[], wanted: readonly Varied[]): readonly Varied[] {
  const varied = fields.filter(isVariable).flatMap((field): Varied[] => {
    const { values = [] } = wanted.find((one) => one.field === field.name) ?? {};
    const taken = [...new Set(values)].filter((value) => value !== '' && !checkField(field, value));
    return taken.length > 1 ? [{ field: field.name, values: taken }] : [];
  });
  return varied.length <= mostVaried && countOf(varied) <= mostCompared ? varied : [];
}

/** Every combination of the values, as inputs; the last input changes first. */
export function combinationsOf(varied: readonly Varied[]): readonly JsonObject[] {
  const variables = varied.map(({ field, values }) => ({
    name: field,
    values: values.map((said) => ({ name: String(said), said })),
  }));
  return [...choicesOf(variables)].map((choice) =>
    Object.fromEntries([...choice].map(([name, { said }]) => [name, said])),
  );
}

/** The values, with the first one of each input that is varied. */
export function firstOf(varied: readonly Varied[], values: FieldValues): FieldValues {
  const first = varied.flatMap(({ field, values: [value] }) => (value === undefined ? [] : [[field, value] as const]));
  return [...new Map([...values, ...first])];
}

/** True for the inputs of the first combination. */
export function isFirstOf(varied: readonly Varied[], inputs: JsonObject): boolean {
  return varied.every(({ field, values }) => Object.hasOwn(inputs, field) && inputs[field] === values[0]);
}
