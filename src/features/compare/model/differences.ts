import type { Json, JsonObject } from '../../../base/json';
import { oneLine } from '../../../base/plain';
import type { Field } from '../../../catalog/types';

/** An input in which several renders differ, and the value of one of them. */
export interface Difference {
  readonly label: string;
  /** For display; true or false as they are. */
  readonly value: string | boolean;
}

/** For each of several renders of a model, the options that not all of them have. Seeds and texts tell nothing. */
export function differencesOf(
  all: readonly JsonObject[],
  fields: readonly Field[],
): readonly (readonly Difference[])[] {
  const differing = fields.filter(
    ({ kind, name }) =>
      (kind === 'choice' || kind === 'boolean') && new Set(all.map((inputs) => JSON.stringify(inputs[name]))).size > 1,
  );
  return all.map((inputs) =>
    differing.flatMap((field) => {
      const value = Object.hasOwn(inputs, field.name) ? inputs[field.name] : undefined;
      return value === undefined ? [] : [{ label: oneLine(field.label, 60), value: shown(field, value) }];
    }),
  );
}

function shown({ choices = [] }: Field, value: Json): string | boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return oneLine(choices.find((choice) => choice.value === value)?.label ?? text, 60);
}
