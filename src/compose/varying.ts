import type { Field } from '../catalog/fields';

/** The most inputs that are varied at once. */
export const mostVaried = 2;

/** A longer list has no room for all its options. */
const mostChoices = 15;

/** True for an input that can be rendered with several values. */
export function isVariable({ kind, choices = [] }: Field): boolean {
  return kind === 'boolean' || (kind === 'choice' && choices.length > 1 && choices.length <= mostChoices);
}

/** The most images compared at once: no screen shows more. */
export const mostCompared = 16;
