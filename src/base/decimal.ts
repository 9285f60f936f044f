import { knownLocale } from './locale';

/** The decimal separator of a language: a point or a comma. */
export function decimalOf(locale: string): '.' | ',' {
  const parts = new Intl.NumberFormat(knownLocale(locale)).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
}

/**
 * A number as typed, with a point or a comma, written with a point. Text that is no number, or that reads as thousands
 * in one language and as a fraction in another, stays as it is typed, so that it is asked about.
 */
export function withPoint(typed: string, decimal: '.' | ','): string {
  const text = typed.trim();
  if (!/^[+-]?\d*[.,]\d*$/.test(text)) return typed;
  const isOther = !text.includes(decimal);
  if (isOther && /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return text.replace('.', ',');
  return text.replace(',', '.');
}

/** A number written with a point, as it is written in the language. */
export function asWritten(number: string, decimal: '.' | ','): string {
  return /^[+-]?\d*\.\d*$/.test(number) ? number.replace('.', decimal) : number;
}
