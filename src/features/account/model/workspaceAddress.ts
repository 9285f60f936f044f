import { parse, type ParseError } from 'jsonc-parser';
import { isObject } from '../../../base/json';
import { isTooDeep } from '../../../renderFiles/tree';

/**
 * The service URL that a project's settings file, or a workspace file's settings, set for the catalog; undefined if
 * they set none. The editor's API can't say: it hides values that don't apply. Calls `broken` for a text that isn't
 * JSON with comments, or nests too deeply.
 */
export function addressIn(settingsText: string, broken = () => {}): string | undefined {
  if (isTooDeep(settingsText)) {
    broken();
    return undefined;
  }
  const errors: ParseError[] = [];
  const file: unknown = parse(settingsText, errors, { allowTrailingComma: true });
  if (errors.length > 0) broken();
  if (!isObject(file)) return undefined;
  return addressSetBy(file) ?? (isObject(file.settings) ? addressSetBy(file.settings) : undefined);
}

/** Dotted or nested: the editor accepts both. */
function addressSetBy(settings: Record<string, unknown>): string | undefined {
  const { modelCatalog } = settings;
  const address = settings['modelCatalog.baseUrl'] ?? (isObject(modelCatalog) ? modelCatalog.baseUrl : undefined);
  return typeof address === 'string' ? address : undefined;
}
