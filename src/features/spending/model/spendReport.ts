import type { Yielder } from '../../../base/concurrency';
import { oneLine } from '../../../base/plain';
import { startOfDay } from '../../../base/time';
import { promptOf } from '../../../catalog/fields';
import { csv } from '../../../files/csv';
import { fileNameOf } from '../../../files/names';
import type { Charge } from '../../../renders/charge';
import {
  byQuarters,
  dayOf,
  daysBetween,
  groupsIn,
  groupsOf,
  largestGroups,
  monthOf,
  monthsBetween,
  type Orderer,
  ordererOf,
  type SpendGroup,
  statementOf,
  sumsOf,
} from '../../../renders/spendSums';
import type { SeenBalance } from '../../../renders/ledger';
import type { Outline } from '../../../renders/outline';
import type { RenderRecord } from '../../../renders/record';
import type { Period, SpendReport, SpendStrings, TableView } from '../page/spendMessages';

/** The source of a report: one account's renders and the balances seen. */
export interface SpendFacts {
  readonly charges: readonly Charge[];
  readonly records: readonly Outline[];
  readonly seen: readonly SeenBalance[];
}

type SpendBalance = NonNullable<SpendReport['balance']>;

/** Prefix for the group of an agent by its own name for itself: none of our own group names has it. */
const claimed = 'agent ';

/** The most rows in a table. */
const mostRows = 20;

/** The start of a period that ends now, ms since 1970. */
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

/** The charges within the period. */
export function chargesIn<One extends Charge>(period: Period, charges: readonly One[], now: number): One[] {
  const from = startOf(period, now);
  return charges.filter(({ at }) => at >= from);
}

/** The names that agents with any of these charges gave themselves, sorted. */
export function agentsOfCharges(charges: readonly Charge[]): string[] {
  const names = new Set(charges.flatMap(({ record }) => record.agent ?? []));
  return [...names].sort((one, other) => one.localeCompare(other));
}

/** Everything the page shows about one account and period. Sums over a long history take several turns. */
export async function spendReport(
  facts: SpendFacts,
  period: Period,
  now: number,
  strings: SpendStrings,
  turns: Pick<Yielder, 'next'>,
): Promise<Omit<SpendReport, 'accounts' | 'account' | 'agents' | 'agent'>> {
  const charges = chargesIn(period, facts.charges, now);
  const from = startOf(period, now);
  const last = facts.seen.at(-1);
  const tableBy = async (keyOf: (charge: Charge) => string, named: (key: string) => Named): Promise<TableView> => {
    return tableOf(await groupsOf(charges, keyOf, turns), named);
  };
  await turns.next();
  const statement = statementOf(
    facts.seen.filter(({ at }) => at >= from),
    facts.records,
  );
  await turns.next();
  return {
    period,
    isEmpty: facts.charges.length === 0,
    total: sumsOf(charges),
    ...barsOf(period, charges, now),
    models: await tableBy(
      ({ record }) => record.modelId,
      (key) => ({ name: key }),
    ),
    projects: await tableBy(
      ({ record }) => record.target.root ?? '',
      (root) => (root === '' ? { name: strings.noFolder } : placed(root)),
    ),
    files: await tableBy(
      ({ record }) => record.file ?? '',
      (file) => (file === '' ? { name: strings.noFile } : placed(file)),
    ),
    orderers: await tableBy(
      ({ record }) => (record.agent === undefined ? ordererOf(record) : `${claimed}${record.agent}`),
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
  const keyOf = byQuarters(isByDay ? dayOf : monthOf);
  return {
    unit: isByDay ? 'day' : 'month',
    // Times in the future, from a wrong clock, count as today.
    bars: groupsIn(keys, charges, ({ at }) => keyOf(Math.min(at, now))),
  };
}

interface Named {
  readonly name: string;
  readonly detail?: string;
}

function tableOf(groups: readonly SpendGroup[], named: (key: string) => Named): TableView {
  const { groups: shown, others } = largestGroups(groups, mostRows);
  return { rows: shown.map(({ key, sums }) => ({ ...said(named(key)), sums })), others };
}

function asSeen({ cents, at }: SeenBalance): SpendBalance {
  return { cents, at };
}

/** A file or folder by its name, with its full URI as detail. */
function placed(uri: string): { name: string; detail: string } {
  return { name: fileNameOf(uri.replace(/\/$/, '')), detail: pathOf(uri) };
}

function pathOf(uri: string): string {
  try {
    return decodeURIComponent(uri.replace(/^file:\/\//, ''));
  } catch {
    // A lone percent sign: use the URI as it is.
    return uri;
  }
}

function said({ name, detail }: { name: string; detail?: string }): { name: string; detail?: string } {
  return { name: oneLine(name), detail: detail === undefined ? undefined : oneLine(detail, 400) };
}

const columns = [
  'time',
  'day',
  'model',
  'prompt',
  'project',
  'file',
  'ordered_by',
  'state',
  'price_shown_cents',
  'charged_cents',
  'refunded_cents',
  'currency',
  'service',
  'generation_id',
  'key',
  'agent_claimed',
];

/**
 * One line per render, oldest first. Unknown values are empty cells, never 0. Column and state names are the same in
 * every language.
 */
export function spendCsv(charges: readonly Charge<RenderRecord>[]): string {
  const oldestFirst = [...charges].sort((a, b) => a.at - b.at);
  return csv([columns, ...oldestFirst.map(lineOf)]);
}

function lineOf({ record, at, cents, isRefunded }: Charge<RenderRecord>): (string | number | undefined)[] {
  const { modelId, inputs, target, file, state, shownCents, place, generationId, key, agent } = record;
  return [
    new Date(at).toISOString(),
    dayOf(at),
    modelId,
    oneLine(promptOf(undefined, inputs), 10_000),
    target.root,
    file,
    ordererOf(record),
    state,
    shownCents,
    cents,
    isRefunded ? cents : undefined,
    'EUR',
    place,
    generationId,
    key,
    agent === undefined ? undefined : oneLine(agent),
  ];
}
