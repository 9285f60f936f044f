import type { JsonObject } from '../../base/json';
import { checkInputs, fittedValues, inputsOf, promptField, valuesFrom, type FieldValues } from '../../catalog/fields';
import type { Field, Model } from '../../catalog/types';
import { shapeInputs, type Size } from '../../documents/shape';

/** The same values, but for those by which a model comes nearest to a size. */
export function shapedValues(fields: readonly Field[], values: FieldValues, size: Size): FieldValues {
  const inputs = shapeInputs(fields, size);
  const shaped = new Map(valuesFrom(fields, inputs));
  return values.map(([name, value]) => [name, Object.hasOwn(inputs, name) ? (shaped.get(name) ?? value) : value]);
}

/**
 * What a render for a link of a document would send: its words as the prompt, its size, and else the values last
 * rendered with. Undefined when the model needs more than that.
 */
export function linkInputs(
  { fields }: Pick<Model, 'fields'>,
  rendered: FieldValues | undefined,
  prompt: string,
  size: Size | undefined,
): JsonObject | undefined {
  const fitted = fittedValues(fields, rendered ?? []);
  const shaped = size ? shapedValues(fields, fitted, size) : fitted;
  const words = promptField(fields)?.name;
  const values = shaped.map(([name, value]) => [name, name === words ? prompt : value] as const);
  return checkInputs(fields, values).length === 0 ? inputsOf(fields, values) : undefined;
}
