import { type RenamedId, settingIds } from './ids';
import { isFit, metadataBefore, whole } from './settingValues';

/**
 * What to write under a setting's name to say what the earlier one says; undefined where that says nothing that can be
 * read.
 */
export function carriedValue(id: RenamedId, before: unknown, promptBefore?: unknown): string | undefined {
  switch (id) {
    case settingIds.serviceUrl:
      return typeof before === 'string' ? before : undefined;
    case settingIds.fitMissingImages:
      return isFit(before) ? before : undefined;
    case settingIds.metadata: {
      const isPlace = before === undefined || before === 'embed' || before === 'sidecar' || before === 'none';
      return isPlace ? metadataBefore(before, promptBefore) : undefined;
    }
    default: {
      const cents = whole(before);
      return cents === undefined ? undefined : inEuros(cents);
    }
  }
}

/** An amount as a setting states it, and `centsIn` reads it: 50 → "0.50". */
export function inEuros(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
