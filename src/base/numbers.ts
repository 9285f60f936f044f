import { knownLocale } from './format';

/** The number at an index; 0 out of range. */
export function at(numbers: ArrayLike<number>, index: number): number {
  return numbers[index] ?? 0;
}

/** Adds to the number at an index. */
export function addAt(numbers: Float64Array, index: number, amount: number): void {
  numbers[index] = at(numbers, index) + amount;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/** The progress shown at the usual time. */
const usualShare = 0.7;

/**
 * The progress to show, up to 1, from the elapsed and the usual time, both in ms. Always grows, ever more slowly after
 * the usual time.
 */
export function shareDone(elapsedMs: number, usualMs: number): number {
  const times = Math.max(0, elapsedMs) / Math.max(1, usualMs);
  if (times <= 1) return usualShare * times;
  const left = 1 - usualShare;
  return 1 - left / (1 + (usualShare / left) * (times - 1));
}

/** The decimal separator of a locale: a point or a comma. */
export function decimalOf(locale: string): '.' | ',' {
  const parts = new Intl.NumberFormat(knownLocale(locale)).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.';
}

/**
 * A number typed with a point or a comma, normalized to a point. Text that isn't a number, or is ambiguous between
 * thousands and a fraction, stays as typed so that the user is asked.
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

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats a number of bytes for `locale`: "840 B", "1.4 MB", "1,4 Mo". */
export function formatSize(bytes: number, locale: string): string {
  const power = Math.min(Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)), units.length - 1);
  const value = bytes / 1000 ** power;
  const parts = (unitDisplay: 'short' | 'narrow') =>
    new Intl.NumberFormat(knownLocale(locale), {
      style: 'unit',
      unit: units[power],
      unitDisplay,
      maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
    }).formatToParts(value);
  // The short form spells out "byte", and the narrow one has no space before "B".
  const symbol = parts('narrow').find(({ type }) => type === 'unit')?.value;
  return parts('short')
    .map((part) => (part.type === 'unit' ? (symbol ?? part.value) : part.value))
    .join('');
}

const formats: Readonly<Record<string, string>> = { webp: 'WebP', 'svg+xml': 'SVG' };

/**
 * The file formats of media types, as a choice: "PNG, JPEG, or WebP"; without a locale, only a list.
 */
export function formatNames(types: readonly string[], locale?: string): string {
  const written = types.map((type) => {
    const format = type.slice(type.indexOf('/') + 1);
    return formats[format] ?? format.toUpperCase();
  });
  if (locale === undefined) return written.join(', ');
  return new Intl.ListFormat(knownLocale(locale), { type: 'disjunction' }).format(written);
}
