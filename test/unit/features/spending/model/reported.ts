import type { TestContext } from 'node:test';
import { englishSpendStrings, type Period } from '../../../../../src/features/spending/page/spendMessages';
import { spendReport } from '../../../../../src/features/spending/model/spendReport';
import type { SeenBalance } from '../../../../../src/renders/ledger';
import type { RenderRecord } from '../../../../../src/renders/record';
import { recorded } from '../../../renders/recorded';

/** The account of all test records. */
export const scope = { places: ['https://models.example'], account: 'account-1' };

/** The names of models. */
const names = new Map([['p/f/named', 'Named 1']]);

/** A report on these records; the first one is the earliest. */
export async function reported(
  t: TestContext,
  records: readonly RenderRecord[],
  period: Period,
  { now, seen = [] }: { readonly now: number; readonly seen?: readonly SeenBalance[] },
) {
  const { ledger } = await recorded(t, records);
  const since = records.length === 0 ? undefined : Math.min(...records.map(({ plannedAt }) => plannedAt));
  return spendReport(ledger, { ...scope, since, seen }, period, now, englishSpendStrings, (id) => names.get(id) ?? id);
}
