import type { Field } from './fields';
import { type Language, translated } from './language';
import type { Model } from './models';

/** Long enough to be looked up by the alphabet, not read through. */
const long = 30;

/** A value, with its name where the language has another one for it. */
type Named = string | { readonly value: string; readonly label: string };

/** A model's facts without its fields, in a language. Its name is a proper name. */
export function summaryIn(language: Language, { id, name, description, type }: Model): object {
  return { id, name, description: translated(description, language), type };
}

/** A field in a language, as `GET /models/detail` returns it. What is sent stays the same in all of them. */
export function fieldIn(language: Language, field: Field): object {
  return {
    ...field,
    label: translated(field.label, language),
    help: field.help && translated(field.help, language),
    ...(field.type === 'enumeration' && { values: valuesIn(language, field.values) }),
  };
}

function valuesIn(language: Language, values: readonly string[]): readonly Named[] {
  const named = values.map((value) => ({ value, label: translated(value, language) }));
  if (named.every(({ value, label }) => value === label)) return values;
  if (values.length < long) return named;
  const { compare } = new Intl.Collator(language);
  return named.sort((a, b) => compare(a.label, b.label));
}
