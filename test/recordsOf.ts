import type { Ledger } from '../src/renders/ledger';
import type { RenderRecord } from '../src/renders/record';

/** All records of a ledger, newest first: a test has few, and may read them at once. */
export function recordsOf(ledger: Ledger): readonly RenderRecord[] {
  return ledger.page(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).records;
}
