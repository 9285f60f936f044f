/** The locale if Intl accepts it, else English: the editor also runs in pseudo-locales. */
export function knownLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    // Not a valid locale.
    return 'en';
  }
}
