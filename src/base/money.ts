/** An amount of money as a person reads it, from integer euro cents, in the language of `locale`: 4 → "€0.04". */
export function formatCents(cents: number, locale: string): string {
  return formatter(locale).format(cents / 100);
}

const formatters = new Map<string, Intl.NumberFormat>();

function formatter(locale: string): Intl.NumberFormat {
  let found = formatters.get(locale);
  if (!found) {
    found = currency(locale);
    formatters.set(locale, found);
  }
  return found;
}

function currency(locale: string): Intl.NumberFormat {
  const options = { style: 'currency', currency: 'EUR' } as const;
  try {
    return new Intl.NumberFormat(locale, options);
  } catch {
    // The editor also runs in languages Intl does not know, such as its pseudo-locale.
    return new Intl.NumberFormat('en', options);
  }
}
