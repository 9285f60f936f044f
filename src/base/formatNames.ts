import { knownLocale } from './locale';

const names: Readonly<Record<string, string>> = { webp: 'WebP', 'svg+xml': 'SVG' };

/**
 * The file formats of media types, as a choice: "PNG, JPEG, or WebP"; without a locale, only a list.
 */
export function formatNames(types: readonly string[], locale?: string): string {
  const formats = types.map((type) => {
    const format = type.slice(type.indexOf('/') + 1);
    return names[format] ?? format.toUpperCase();
  });
  if (locale === undefined) return formats.join(', ');
  return new Intl.ListFormat(knownLocale(locale), { type: 'disjunction' }).format(formats);
}
