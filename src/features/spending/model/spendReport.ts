import { startOfDay } from '../../../base/format';
import type { JsonObject } from '../../../base/json';
import { oneLine } from '../../../base/plain';
import { promptOf } from '../../../catalog/fields';
import { fileNameOf } from '../../../files/names';
import type { QueriedRow } from '../../../renders/heavyWork';
import type { SeenBalance } from '../../../renders/ledger';
import type { Library } from '../../../renders/library';
import {
  barsIn,
  barsQuery,
  chargesQuery,
  claimed,
  dayOf,
  daysBetween,
  groupsQuery,
  keys,
  monthsBetween,
  movesQuery,
  type Orderer,
  type Scope,
  statementOf,
  sumsIn,
  tableIn,
  totalQuery,
} from '../../../renders/spendSums';
import type { Period, SpendReport, SpendStrings, TableView } from '../page/spendMessages';

/** What a report is about: the charges of one account since the first one, and the balances seen. */
export interface SpendFacts extends Omit<Scope, 'from'> {
  /** The time of the first charge, ms since 1970; undefined without one. */
  readonly since: number | undefined;
  readonly seen: readonly SeenBalance[];
}

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

/** What answers queries. */
type Queried = Pick<Library, 'look'>;

/**
 * Everything the page shows about one account and period; `nameOf` has the names of models. Rejects with LedgerError.
 */
export async function spendReport(
  library: Queried,
  { since, seen, ...facts }: SpendFacts,
  period: Period,
  now: number,
  strings: SpendStrings,
  nameOf: (modelId: string) => string,
): Promise<Omit<SpendReport, 'accounts' | 'account' | 'agents' | 'agent'>> {
  const from = startOf(period, now);
  const scope = { ...facts, from };
  const isByDay = period === 'week' || period === 'month';
  const bars = (isByDay ? daysBetween : monthsBetween)(period === 'all' ? Math.min(since ?? now, now) : from, now);
  const inPeriod = seen.filter(({ at }) => at >= from);
  const tables = Object.keys(keys) as (keyof typeof keys)[];
  const [[all] = [], ofBars = [], ...rest] = await library.look([
    totalQuery(scope),
    barsQuery(scope, bars),
    ...tables.map((key) => groupsQuery(scope, key)),
    ...(inPeriod.length > 1 ? [movesQuery(scope, inPeriod)] : []),
  ]);
  const total = sumsIn(all);
  const table = (key: keyof typeof keys, named: (key: string) => Named): TableView => {
    const { groups: shown, others } = tableIn(rest[tables.indexOf(key)] ?? [], total);
    return { rows: shown.map((group) => ({ ...labelOf(named(group.key)), sums: group.sums })), others };
  };
  const last = seen.at(-1);
  const statement = statementOf(inPeriod, rest[tables.length] ?? []);
  return {
    period,
    isEmpty: since === undefined,
    total,
    unit: isByDay ? 'day' : 'month',
    bars: barsIn(ofBars, bars),
    models: table('models', (id) => ({ name: nameOf(id), detail: id })),
    projects: table('projects', (root) => (root === '' ? { name: strings.noFolder } : placed(root))),
    files: table('files', (file) => (file === '' ? { name: strings.noFile } : placed(file))),
    orderers: table('orderers', (orderer) =>
      orderer.startsWith(claimed)
        ? { name: `“${orderer.slice(claimed.length)}”`, detail: strings.agent }
        : { name: strings[orderer as Orderer] },
    ),
    balance: last && balanceView(last),
    statement: statement && { ...statement, from: balanceView(statement.from), to: balanceView(statement.to) },
  };
}

/** A balance as the page shows it. */
function balanceView({ cents, at }: SeenBalance): NonNullable<SpendReport['balance']> {
  return { cents, at };
}

interface Named {
  readonly name: string;
  readonly detail?: string;
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

function labelOf({ name, detail }: { name: string; detail?: string }): { name: string; detail?: string } {
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
 * every language. Rejects with LedgerError.
 */
export async function spendCsv(library: Queried, scope: Scope): Promise<string> {
  const [charges = []] = await library.look([chargesQuery(scope)]);
  return csv([columns, ...charges.map(lineOf)]);
}

function lineOf(charge: QueriedRow): (string | number | undefined)[] {
  const text = (name: string) => (charge[name] === null ? undefined : String(charge[name]));
  const cents = (name: string) => (charge[name] === null ? undefined : Number(charge[name]));
  const agent = text('agent');
  return [
    new Date(Number(charge['at'])).toISOString(),
    dayOf(Number(charge['at'])),
    text('model'),
    oneLine(promptOf(undefined, JSON.parse(text('inputs') ?? '{}') as JsonObject), 10_000),
    text('root'),
    text('file'),
    text('orderer'),
    text('state'),
    cents('shown_cents'),
    cents('cents'),
    charge['state'] === 'refunded' ? cents('cents') : undefined,
    'EUR',
    text('place'),
    text('generation'),
    text('key'),
    agent === undefined ? undefined : oneLine(agent),
  ];
}

/** A cell: a text, a whole number, or nothing. */
export type Cell = string | number | undefined;

/**
 * A table by RFC 4180, after a byte order mark so that spreadsheets recognize UTF-8. Anything that a spreadsheet could
 * take for a formula is prefixed with an apostrophe.
 */
export function csv(rows: readonly (readonly Cell[])[]): string {
  return `\ufeff${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
}

/**
 * What may precede a formula: separators of other locales, and the blanks and quotation marks that some spreadsheets
 * skip.
 */
const lead = /^[;\s"']*|[;\s"']+/g;

/** The characters that begin a formula. The last are the full-width forms of = + @ -. */
const sign = /[=+\-@|\uff1d\uff0b\uff20\uff0d]/;

/**
 * Adds an apostrophe where a text, or the part after a separator in it, begins like a formula. Looks at each lead once,
 * since a cell may be all blanks.
 */
function asText(text: string): string {
  return text.replace(lead, (run, at: number) => {
    // Separators from here on precede a formula.
    const from = sign.test(text.charAt(at + run.length)) ? run.lastIndexOf(';') : run.length;
    const begins = at === 0 && (from < 0 || /^[\t\r\n]/.test(run));
    const kept = Math.max(begins ? 1 : 0, from);
    return `${begins ? "'" : ''}${run.slice(0, kept)}${run.slice(kept).replace(/[;\t\r\n]/g, "$&'")}`;
  });
}

function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : String(cell);
  const text = asText(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
