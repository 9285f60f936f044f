import { type Around, sentValue, styledInput, type Styling, unstyled } from '../base/text';
import type { Json } from '../base/json';
import { oneLine } from '../base/plain';
import { checkField, type FieldValue, type FieldValues, promptField, valuesFrom } from '../catalog/fields';
import { mayMake } from '../catalog/kinds';
import type { Field, Model } from '../catalog/types';
import type { Target } from '../renders/record';
import { slug } from '../files/names';
import type { ProjectStyle } from './projectStyles';

/** A style as it applies to one model. */
export interface AppliedStyle extends Styling<FieldValue> {
  readonly id: string;
  readonly label: string;
  /** The names of inputs that the style states, but that the model doesn’t have or doesn’t take that value for. */
  readonly leftOut: readonly string[];
}

/** True if styles can be used with the model, as in render files: it makes images, of an input called `prompt`. */
export function takesStyles(model: Pick<Model, 'kind' | 'fields'>): boolean {
  return mayMake(model, 'image') && promptField(model.fields)?.name === styledInput;
}

/** The style, applied to a model with these fields. The user’s prompt wins over one that the style states. */
export function appliedTo(fields: readonly Field[], { id, label, before, after, inputs }: ProjectStyle): AppliedStyle {
  const fixed = new Map<string, FieldValue>();
  const leftOut: string[] = [];
  for (const [name, value] of inputs) {
    if (name === styledInput) continue;
    const field = fields.find((one) => one.name === name);
    const own = field && valueIn(field, value);
    if (own === undefined) leftOut.push(oneLine(field?.label ?? name, 60));
    else fixed.set(name, own);
  }
  return { id, label, before, after, fixed, leftOut };
}

/** The value of the field’s control; undefined if it can’t be sent. Images are taken only by their URLs. */
function valueIn(field: Field, input: Json): FieldValue | undefined {
  const isFile = field.kind === 'image' && typeof input === 'object' && input !== null;
  const value = input === null ? '' : valuesFrom([field], { [field.name]: input })[0]?.[1];
  const isUnread = value === undefined || (value === '' && input !== null && input !== '');
  return isFile || isUnread || checkField(field, value) ? undefined : value;
}

/** The user’s values as they’re sent with the style. */
export function sentValues(style: AppliedStyle | undefined, values: FieldValues): FieldValues {
  if (!style) return values;
  return [...new Map([...values.map(([name, own]) => [name, sentValue(style, name, own)] as const), ...style.fixed])];
}

/** An earlier prompt without the words of the first of these styles that it has, so that they aren’t sent twice. */
export function ownPrompt(prompt: string, styles: readonly Around[]): string {
  for (const style of styles) {
    const own = unstyled(style, prompt);
    if (own !== undefined) return own;
  }
  return prompt;
}

/** The target with a name made of the user’s own words: those of a style would be in every name. */
export function namedByOwn(target: Target, style: AppliedStyle | undefined, values: FieldValues): Target {
  const own = new Map(values).get(styledInput);
  const isNamed = target.ending !== undefined || !style || style.before + style.after === '';
  if (isNamed || typeof own !== 'string' || own.trim() === '') return target;
  return { ...target, fileName: target.fileName.replaceAll('${slug}', () => slug(own) || 'untitled') };
}
