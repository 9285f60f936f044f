import { parse } from 'jsonc-parser';
import { isObject } from '../../base/json';

/** The longest settings file that is read, bytes. A project's usually has a few hundred. */
export const longestSettings = 64 * 1024;

/**
 * The service URL that a project's settings file, or a workspace file's settings, set for the catalog; undefined if
 * they set none. The editor's API can't say: it hides values that don't apply.
 */
export function addressIn(settingsText: string): string | undefined {
  const file: unknown = parse(settingsText, [], { allowTrailingComma: true });
  if (!isObject(file)) return undefined;
  return addressSetBy(file) ?? (isObject(file.settings) ? addressSetBy(file.settings) : undefined);
}

/** Dotted or nested: the editor accepts both. */
function addressSetBy(settings: Record<string, unknown>): string | undefined {
  const { modelCatalog } = settings;
  const address = settings['modelCatalog.baseUrl'] ?? (isObject(modelCatalog) ? modelCatalog.baseUrl : undefined);
  return typeof address === 'string' ? address : undefined;
}
