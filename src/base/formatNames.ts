import { knownLocale } from './locale';

const names: Readonly<Record<string, string>> = { webp: 'WebP', 'svg+xml': 'SVG' };

/**
 * Media types as the names of file formats, any of which will do: "PNG, JPEG, or WebP"; without a locale, a bare list.
 */
export function formatNames(types: readonly string[], locale?: string): string {
  const formats = types.map((type) => {
    const format = type.slice(type.indexOf('/') + 1);
    return names[format] ?? format.toUpperCase();
  });
  if (locale === undefined) return formats.join(', ');
  return new Intl.ListFormat(knownLocale(locale), { type: 'disjunction' }).format(formats);
}
