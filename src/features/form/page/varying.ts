import type { Choice } from '../../../catalog/fields';
import type { VariantsView, VariedView } from './formMessages';
import { mostCompared, mostVaried } from '../../../compose/varying';

export type VariedValue = string | number | boolean;

/** The values that are rendered of an input; undefined if it isn’t varied. */
export function variedValues(variants: VariantsView | undefined, field: string): readonly VariedValue[] | undefined {
  return variants?.varied.find((one) => one.field === field)?.values;
}

/** The variants with these values of an input: fewer than two aren’t varied. */
export function withVaried(variants: VariantsView, field: string, values: readonly VariedValue[]): VariantsView {
  const others = variants.varied.filter((one) => one.field !== field);
  const varied = values.length > 1 ? [...others, { field, values: [...values] }] : others;
  return { ...variants, varied, count: combinations(varied) };
}

/** True if one more value of the input can be rendered. */
export function takesMore({ varied }: VariantsView, field: string): boolean {
  const own = varied.find((one) => one.field === field);
  const others = varied.filter((one) => one !== own);
  if (!own && others.length === mostVaried) return false;
  return combinations(others) * ((own?.values.length ?? 1) + 1) <= mostCompared;
}

/** The values with this one in or out, in the order of the options. */
export function toggled(
  values: readonly VariedValue[],
  value: VariedValue,
  choices: readonly Choice[],
): readonly VariedValue[] {
  const isIn = values.includes(value);
  return choices.map((choice) => choice.value).filter((one) => (one === value ? !isIn : values.includes(one)));
}

function combinations(varied: VariedView): number {
  return varied.reduce((product, { values }) => product * values.length, 1);
}
