import type { Ledger } from '../src/renders/ledger';
import type { Decision, RenderRecord } from '../src/renders/record';

/** Records one decision, as a window does that is about to send it. */
export function planOne(ledger: Ledger, decision: Decision, owner: string): RenderRecord {
  const [record] = ledger.plan([decision], owner, ledger.mark) ?? [];
  return record!;
}
