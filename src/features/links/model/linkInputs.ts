import type { JsonObject } from '../../../base/json';
import {
  checkInputs,
  fittedValues,
  inputsOf,
  promptField,
  valuesFrom,
  type FieldValues,
} from '../../../catalog/fields';
import type { Field, Model } from '../../../catalog/types';
import { sentValues, type AppliedStyle } from '../../../compose/appliedStyle';
import { shapeInputs, type Size } from '../../../documents/shape';

/** The values, with those replaced that bring the model closest to a size. */
export function shapedValues(fields: readonly Field[], values: FieldValues, size: Size): FieldValues {
  const inputs = shapeInputs(fields, size);
  const shaped = new Map(valuesFrom(fields, inputs));
  return values.map(([name, value]) => [name, Object.hasOwn(inputs, name) ? (shaped.get(name) ?? value) : value]);
}

/**
 * The inputs of a render for a document's link: its words as the prompt, its size, and otherwise the values last used,
 * but never the images last given: no link shows them. As they're sent with the style. Undefined when the model needs
 * more than that, or takes no prompt.
 */
export function linkInputs(
  { fields }: Pick<Model, 'fields'>,
  rendered: FieldValues | undefined,
  prompt: string,
  size: Size | undefined,
  style?: AppliedStyle,
): JsonObject | undefined {
  const words = promptField(fields)?.name;
  if (words === undefined) return undefined;
  const images = new Set(fields.filter(({ kind }) => kind === 'image' || kind === 'images').map(({ name }) => name));
  const last = (rendered ?? []).filter(([name]) => !images.has(name));
  const fitted = fittedValues(fields, last);
  const shaped = size ? shapedValues(fields, fitted, size) : fitted;
  const own = shaped.map(([name, value]) => [name, name === words ? prompt : value] as const);
  const values = sentValues(style, own);
  return checkInputs(fields, values).length === 0 ? inputsOf(fields, values) : undefined;
}
