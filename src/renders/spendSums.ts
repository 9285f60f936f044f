/** What renders have cost, summed up by the ledger: queries over its columns for sums, and how their rows are read. */

import type { QueriedRow, Query } from './heavyWork';
import type { SeenBalance } from './ledger';

/** The cost of some renders, as the service stated it. All amounts in euro cents. */
export interface Sums {
  readonly renders: number;
  /** Charged and not refunded. */
  readonly spentCents: number;
  readonly refundedCents: number;
  readonly refunds: number;
  /** Renders that ended without a stated charge: not included in any amount. */
  readonly unknown: number;
  /** The quoted prices of those, where there were any. */
  readonly unknownShownCents: number;
  /** Renders in progress whose charge isn't stated yet: not included in any amount either. */
  readonly underWay: number;
}

/** How a balance changed, and what of that our renders explain; euro cents. */
interface Statement {
  readonly from: SeenBalance;
  readonly to: SeenBalance;
  readonly oursCents: number;
  readonly outsideCents: number;
  readonly addedCents: number;
  readonly uncertain: number;
}

/** The renders that sums are about. */
export interface Scope {
  /** The URLs of a service, and the account there. */
  readonly places: readonly string[];
  readonly account: string;
  /** Only this agent's, by the name it gave itself. */
  readonly agent?: string;
  /** The time of the earliest charge, ms since 1970. */
  readonly from: number;
}

/** A group of renders, by a name that we give it. */
interface SpendGroup {
  readonly key: string;
  readonly sums: Sums;
}

/** It was sent, and the service didn't reject it. */
const isSent = `state NOT IN ('planned', 'refused', 'discarded')`;

/** Nor did the user settle it as not charged. As `countedCents` counts, with what was refunded. */
const isCharged = `${isSent} AND NOT (state = 'unknown' AND confirmed IS 0)`;

const isOfAccount = 'place IN (SELECT value FROM json_each(?1)) AND account = ?2';

/** In cents: what the service said, or the quoted price where only the user confirmed the charge. */
const charges = `(SELECT *, coalesce(cost_cents, CASE WHEN state = 'unknown' AND confirmed THEN shown_cents END) AS cents
  FROM renders WHERE ${isOfAccount} AND at >= ?3 AND (?4 IS NULL OR agent = ?4) AND ${isCharged})`;

const isUnstated = "cents IS NULL AND state <> 'refunded'";
const isUnderWay = "state IN ('sent', 'accepted')";

const sums = `count(*) AS renders,
  coalesce(sum(cents) FILTER (WHERE state <> 'refunded'), 0) AS spentCents,
  coalesce(sum(cents) FILTER (WHERE state = 'refunded'), 0) AS refundedCents,
  count(*) FILTER (WHERE state = 'refunded') AS refunds,
  count(*) FILTER (WHERE ${isUnstated} AND NOT ${isUnderWay}) AS unknown,
  coalesce(sum(shown_cents) FILTER (WHERE ${isUnstated} AND NOT ${isUnderWay}), 0) AS unknownShownCents,
  count(*) FILTER (WHERE ${isUnstated} AND ${isUnderWay}) AS underWay`;

/** Who ordered a render, as far as recorded. One adopted from the service's list was ordered by someone else. */
const orderer = `CASE WHEN ordered_by IN ('person', 'agent') THEN ordered_by
  WHEN attempt = 0 AND accepted_at IS NOT NULL THEN 'elsewhere' ELSE 'notRecorded' END`;

/** Who ordered a render: one of these, or after `claimed` an agent by its own name for itself. */
export type Orderer = 'person' | 'agent' | 'elsewhere' | 'notRecorded';

/** Prefix for the group of an agent: none of our own group names has it. */
export const claimed = 'agent ';

/** What groups are by. */
export const keys = {
  models: 'model',
  projects: "coalesce(root, '')",
  files: "coalesce(file, '')",
  orderers: `coalesce('${claimed}' || agent, ${orderer})`,
} as const;

/** The most groups on their own in a table. */
const mostGroups = 20;

/** Who has renders: each account and each agent of it, with its last render and its first charge, if any. */
export const accountsQuery: Query = {
  sql: `SELECT place, account, agent, max(planned_at) AS usedAt, min(at) FILTER (WHERE ${isCharged}) AS since
    FROM renders WHERE at IS NOT NULL GROUP BY place, account, agent`,
};

/** The sums over all of them: the rows for `sumsIn`. */
export function totalQuery(scope: Scope): Query {
  return { sql: `SELECT ${sums} FROM ${charges}`, values: valuesOf(scope) };
}

/** The sums of each of these times that has any: the rows for `barsIn`. */
export function barsQuery(scope: Scope, bars: readonly Bar[]): Query {
  const times = JSON.stringify(bars.map(({ from, to }) => [from, Number.isFinite(to) ? to : Number.MAX_SAFE_INTEGER]));
  // Few times, each a range of an index.
  const sql = `SELECT bars.key AS key, ${sums} FROM json_each(?5) AS bars CROSS JOIN ${charges} AS charges
    ON at >= bars.value ->> 0 AND at < bars.value ->> 1 GROUP BY bars.key`;
  return { sql, values: [...valuesOf(scope), times] };
}

/** The largest groups: the rows for `tableIn`. */
export function groupsQuery(scope: Scope, key: keyof typeof keys): Query {
  const groups = `SELECT ${keys[key]} AS key, ${sums} FROM ${charges} GROUP BY 1`;
  const sql = `SELECT *, count(*) OVER () AS groups FROM (${groups})
    ORDER BY spentCents DESC, renders DESC, key LIMIT ${mostGroups + 1}`;
  return { sql, values: valuesOf(scope) };
}

/** All charges, oldest first. */
export function chargesQuery(scope: Scope): Query {
  const sql = `SELECT at, model, decision -> '$.inputs' AS inputs, root, file, ${orderer} AS orderer, state, shown_cents,
    cents, place, progress ->> '$.generationId' AS generation, key, agent FROM ${charges} ORDER BY at, id`;
  return { sql, values: valuesOf(scope) };
}

export function sumsIn(row: QueriedRow | undefined): Sums {
  const of = (name: keyof Sums) => Number(row?.[name] ?? 0);
  return {
    renders: of('renders'),
    spentCents: of('spentCents'),
    refundedCents: of('refundedCents'),
    refunds: of('refunds'),
    unknown: of('unknown'),
    unknownShownCents: of('unknownShownCents'),
    underWay: of('underWay'),
  };
}

/** One for each of `bars`, in order, including empty ones. */
export function barsIn(rows: readonly QueriedRow[], bars: readonly Bar[]): SpendGroup[] {
  const found = new Map(rows.map((row) => [Number(row['key']), row]));
  return bars.map(({ key }, index) => ({ key, sums: sumsIn(found.get(index)) }));
}

/** The largest groups, and the sums of all others together. A single other one keeps its row. */
export function tableIn(
  rows: readonly QueriedRow[],
  total: Sums,
): {
  readonly groups: readonly SpendGroup[];
  readonly others: { readonly count: number; readonly sums: Sums } | undefined;
} {
  const all = Number(rows[0]?.['groups'] ?? 0);
  const shown = rows.slice(0, all > mostGroups + 1 ? mostGroups : rows.length);
  const groups = shown.map((row) => ({ key: String(row['key']), sums: sumsIn(row) }));
  if (all === groups.length) return { groups, others: undefined };
  const others: Record<keyof Sums, number> = { ...total };
  for (const one of groups) for (const name of figures) others[name] -= one.sums[name];
  return { groups, others: { count: all - groups.length, sums: others } };
}

const figures = Object.keys(sumsIn(undefined)) as (keyof Sums)[];

function valuesOf({ places, account, from, agent }: Scope) {
  return [JSON.stringify(places), account, from, agent ?? null];
}

/** A service that hasn't stated a render's charge by then won't state it later, ms. */
const patienceMs = 24 * 3_600_000;

/**
 * The account's moves: changes of the balance by our renders, each between two times on our clock. None for a render
 * that moved nothing, and for one adopted from elsewhere: that counts as outside. In cents as the service stated it;
 * uncertain if there may be more to it.
 */
const moves = `SELECT sent_at AS after,
    CASE WHEN state = 'refunded' OR accepted_at IS NULL THEN coalesce(ended_at, at + ${patienceMs})
      WHEN state IN ('succeeded', 'saved') THEN at ELSE at + ${patienceMs} END AS before,
    CASE WHEN state = 'refunded' THEN 0 ELSE coalesce(cost_cents, 0) END AS cents,
    CASE WHEN state = 'refunded' THEN 0 WHEN accepted_at IS NOT NULL AND state IN ('succeeded', 'saved')
      THEN cost_cents IS NULL ELSE 1 END AS uncertain
  FROM renders WHERE ${isOfAccount} AND attempt > 0 AND ${isSent}`;

/**
 * For each seen balance, in order: whether any move was in progress then, and the sums of all moves that were over. The
 * rows for `statementOf`.
 */
export function movesQuery({ places, account }: Scope, seen: readonly SeenBalance[]): Query {
  const upTo = (order: string) => `OVER (ORDER BY time, ${order} ROWS UNBOUNDED PRECEDING)`;
  const sql = `WITH moves AS MATERIALIZED (${moves}),
    seen AS (SELECT key AS seen, value ->> 'askedAt' AS asked, value ->> 'at' AS at FROM json_each(?3)),
    busy AS (SELECT seen, asked, max(before) ${upTo('seen IS NULL')} AS until FROM (
      SELECT NULL AS seen, NULL AS asked, after AS time, before FROM moves UNION ALL SELECT seen, asked, at, NULL FROM seen)),
    over AS (SELECT seen AS one, sum(cents) ${upTo('seen IS NOT NULL')} AS cents,
      sum(uncertain) ${upTo('seen IS NOT NULL')} AS uncertain FROM (
      SELECT NULL AS seen, before AS time, cents, uncertain FROM moves UNION ALL SELECT seen, asked, 0, 0 FROM seen))
    SELECT coalesce(until > asked, 0) AS isBusy, cents, uncertain
    FROM (SELECT * FROM busy WHERE seen IS NOT NULL) JOIN (SELECT * FROM over WHERE one IS NOT NULL) ON one = seen
    ORDER BY seen`;
  return { sql, values: [JSON.stringify(places), account, JSON.stringify(seen)] };
}

/**
 * Compares the course of an account's balance, in chronological order, with the account's renders: `from − ours −
 * outside + added` is `to`. Uses only moments when none of our renders was in progress: then both agree. Undefined
 * without two of them.
 */
export function statementOf(seen: readonly SeenBalance[], rows: readonly QueriedRow[]): Statement | undefined {
  const calm = rows.flatMap(({ isBusy, cents, uncertain }, index) => {
    const balance = seen[index];
    return balance && !isBusy ? { balance, cents: Number(cents), uncertain: Number(uncertain) } : [];
  });
  const [first] = calm;
  const last = calm.at(-1);
  if (!first || !last || first === last) return undefined;
  const others = calm.slice(1).map(({ balance, cents }, index) => {
    const before = calm[index] ?? first;
    return balance.cents - before.balance.cents + cents - before.cents;
  });
  const sum = (changes: readonly number[]) => changes.reduce((all, one) => all + one, 0);
  return {
    from: first.balance,
    to: last.balance,
    oursCents: last.cents - first.cents,
    // At least: money added between two looks may conceal more.
    outsideCents: 0 - sum(others.filter((cents) => cents < 0)),
    addedCents: sum(others.filter((cents) => cents > 0)),
    uncertain: last.uncertain - first.uncertain,
  };
}

/** A time that has a bar, ms since 1970; `to` is the start of the next one. */
export interface Bar {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** Every day from that of `from` to that of `to` (ms since 1970), which also has what is later, by a wrong clock. */
export function daysBetween(from: number, to: number): Bar[] {
  return stepped(from, to, dayOf, (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1));
}

/** The same for months. */
export function monthsBetween(from: number, to: number): Bar[] {
  const first = new Date(from);
  const start = new Date(first.getFullYear(), first.getMonth(), 1).getTime();
  const monthOf = (time: number) => dayOf(time).slice(0, 7);
  return stepped(start, to, monthOf, (date) => new Date(date.getFullYear(), date.getMonth() + 1, 1));
}

/** By the calendar: a day on which the clocks change has 23 or 25 hours. */
function stepped(from: number, to: number, name: (time: number) => string, next: (date: Date) => Date): Bar[] {
  const bars: Bar[] = [];
  for (let time = new Date(from).setHours(0, 0, 0, 0); time <= to;) {
    const end = next(new Date(time)).getTime();
    bars.push({ key: name(time), from: time, to: end > to ? Infinity : end });
    time = end;
  }
  return bars;
}

/** The day of a time (ms since 1970) in the local calendar: `2026-03-29`. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
