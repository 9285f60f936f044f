import { knownLocale } from './time';

/** Formats integer euro cents for `locale`: 4 → "€0.04". */
export function formatCents(cents: number, locale: string): string {
  return formatter(locale, 'symbol').format(cents / 100);
}

/** The same amount for screen readers, with the currency spelled out: 4 → "0.04 euros". */
export function spokenCents(cents: number, locale: string): string {
  return formatter(locale, 'name').format(cents / 100);
}

type Display = 'symbol' | 'name';

const formatters = new Map<string, Intl.NumberFormat>();

function formatter(locale: string, display: Display): Intl.NumberFormat {
  const key = `${display} ${locale}`;
  let found = formatters.get(key);
  if (!found) {
    found = currency(locale, display);
    formatters.set(key, found);
  }
  return found;
}

function currency(locale: string, currencyDisplay: Display): Intl.NumberFormat {
  return new Intl.NumberFormat(knownLocale(locale), { style: 'currency', currency: 'EUR', currencyDisplay });
}
