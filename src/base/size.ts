import { knownLocale } from './locale';

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
