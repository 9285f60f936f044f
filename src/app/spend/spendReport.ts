import { startOfDay } from '../../base/day';
import type { Period, SpendReport, TableView } from '../../pages/spendMessages';
import type { SpendStrings } from '../../pages/spendStrings';
import type { Charge } from '../../renders/charge';
import { dayOf, daysBetween, monthOf, monthsBetween } from '../../renders/days';
import type { SeenBalance } from '../../renders/ledger';
import { ordererOf, type Orderer } from '../../renders/orderer';
import type { Outline } from '../../renders/outline';
import { groupsIn, groupsOf, largest, sumsOf, type SpendGroup } from '../../renders/spendSums';
import { statementOf } from '../../renders/statement';
import { fileNameOf } from '../../files/fileName';
import { oneLine } from '../../base/plain';

/** What a report is made of: one account's renders and the balances seen. */
export interface SpendFacts {
  readonly charges: readonly Charge[];
  readonly records: readonly Outline[];
  readonly seen: readonly SeenBalance[];
}

type SpendBalance = NonNullable<SpendReport['balance']>;

/** Begins the group of an agent by the name it gave itself: none of our own words for those who order does. */
const claimed = 'agent ';

/** How many rows a table has at most. */
const mostRows = 20;

/** When a period that ends now began, ms since 1970. */
export function startOf(period: Period, now: number): number {
  switch (period) {
    case 'week':
      return startOfDay(now, 6);
    case 'month':
      return startOfDay(now, 29);
    case 'year': {
      const date = new Date(startOfDay(now));
      date.setMonth(date.getMonth() - 11, 1);
      return date.getTime();
    }
    case 'all':
      return -Infinity;
  }
}

/** Those charged within the period. */
export function chargesIn<One extends Charge>(period: Period, charges: readonly One[], now: number): One[] {
  const from = startOf(period, now);
  return charges.filter(({ at }) => at >= from);
}

/** What the agents call themselves that asked for any of these, in the order of their names. */
export function agentsOf(charges: readonly Charge[]): string[] {
  const names = new Set(charges.flatMap(({ record }) => record.agent ?? []));
  return [...names].sort((one, other) => one.localeCompare(other));
}

/** What the page shows of one account and period. */
export function spendReport(
  facts: SpendFacts,
  period: Period,
  now: number,
  strings: SpendStrings,
): Omit<SpendReport, 'accounts' | 'account' | 'agents' | 'agent'> {
  const charges = chargesIn(period, facts.charges, now);
  const from = startOf(period, now);
  const last = facts.seen.at(-1);
  const statement = statementOf(
    facts.seen.filter(({ at }) => at >= from),
    facts.records,
  );
  return {
    period,
    isEmpty: facts.charges.length === 0,
    total: sumsOf(charges),
    ...barsOf(period, charges, now),
    models: tableOf(
      groupsOf(charges, ({ record }) => record.modelId),
      (key) => ({ name: key }),
    ),
    projects: tableOf(
      groupsOf(charges, ({ record }) => record.target.root ?? ''),
      (root) => (root === '' ? { name: strings.noFolder } : placed(root)),
    ),
    files: tableOf(
      groupsOf(charges, ({ record }) => record.file ?? ''),
      (file) => (file === '' ? { name: strings.noFile } : placed(file)),
    ),
    orderers: tableOf(
      groupsOf(charges, ({ record }) => (record.agent === undefined ? ordererOf(record) : `${claimed}${record.agent}`)),
      (orderer) =>
        orderer.startsWith(claimed)
          ? { name: `“${orderer.slice(claimed.length)}”`, detail: strings.agent }
          : { name: strings[orderer as Orderer] },
    ),
    balance: last && asSeen(last),
    statement: statement && { ...statement, from: asSeen(statement.from), to: asSeen(statement.to) },
  };
}

function barsOf(period: Period, charges: readonly Charge[], now: number): Pick<SpendReport, 'unit' | 'bars'> {
  const isByDay = period === 'week' || period === 'month';
  const first = period === 'all' ? charges.reduce((least, { at }) => Math.min(least, at), now) : startOf(period, now);
  const keys = isByDay ? daysBetween(first, now) : monthsBetween(first, now);
  const keyOf = isByDay ? dayOf : monthOf;
  return {
    unit: isByDay ? 'day' : 'month',
    // What a clock that was wrong put into the future is of today.
    bars: groupsIn(keys, charges, ({ at }) => keyOf(Math.min(at, now))),
  };
}

function tableOf(groups: readonly SpendGroup[], named: (key: string) => { name: string; detail?: string }): TableView {
  const { groups: shown, others } = largest(groups, mostRows);
  return { rows: shown.map(({ key, sums }) => ({ ...said(named(key)), sums })), others };
}

function asSeen({ cents, at }: SeenBalance): SpendBalance {
  return { cents, at };
}

/** A file or folder by its name, with the whole of its address beside it. */
function placed(uri: string): { name: string; detail: string } {
  return { name: fileNameOf(uri.replace(/\/$/, '')), detail: pathOf(uri) };
}

function pathOf(uri: string): string {
  try {
    return decodeURIComponent(uri.replace(/^file:\/\//, ''));
  } catch {
    // A lone percent sign: the address itself is as good.
    return uri;
  }
}

function said({ name, detail }: { name: string; detail?: string }): { name: string; detail?: string } {
  return { name: oneLine(name), detail: detail === undefined ? undefined : oneLine(detail, 400) };
}
