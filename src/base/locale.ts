/**
 * The language as Intl takes it; English for one it cannot: the editor also runs in languages such as its
 * pseudo-locale.
 */
export function knownLocale(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    // Not the name of a language.
    return 'en';
  }
}
