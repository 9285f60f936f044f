import { knownLocale } from './locale';

/** The decimal separator of a locale: a point or a comma. */
export function decimalOf(locale: string): '.' | ',' {
  const parts = new Intl.NumberFormat(knownLocale(locale)).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
}

/**
 * A number typed with a point or a comma, normalized to a point. Text that isn't a number, or is ambiguous between
 * thousands and a fraction, stays as typed so that the person is asked.
 */
export function withPoint(typed: string, decimal: '.' | ','): string {
  const text = typed.trim();
  if (!/^[+-]?\d*[.,]\d*$/.test(text)) return typed;
  const isOther = !text.includes(decimal);
  if (isOther && /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return text.replace('.', ',');
  return text.replace(',', '.');
}

/** A number with a decimal point, formatted for the locale. */
export function asWritten(number: string, decimal: '.' | ','): string {
  return /^[+-]?\d*\.\d*$/.test(number) ? number.replace('.', decimal) : number;
}
