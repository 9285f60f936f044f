import type { Ledger } from '../src/renders/ledger';
import type { RenderRecord } from '../src/renders/record';

/** All records of a ledger, newest first. A test has few enough to read them in one go. */
export function recordsOf(ledger: Ledger): readonly RenderRecord[] {
  return ledger.page(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).records;
}
